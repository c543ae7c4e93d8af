/** How the page is built: one document, hashed files that browsers keep for ever, nothing inline. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** For `npm run dev -w @dorkos/client`: the server that the page talks to. */
const server = process.env.DORKOS_URL ?? 'http://127.0.0.1:4242'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no inline code, and images only from the server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What every screen needs, in one file: it compresses better, and changes less often than our own code.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules\/(react|react-dom|scheduler|@tanstack|wouter|zod)\// },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': {
        target: server,
        changeOrigin: true,
        // The server refuses requests from pages of another origin; this one stands in for it.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', server)),
      },
    },
  },
})
