/** How the page is built: one document, hashed files that browsers keep for ever, nothing inline. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { withoutJsonSchema } from './without-json-schema.ts'
import { withoutSummaries } from './without-summaries.ts'

/** For `npm run dev -w @dorkos/client`: the server that the page talks to. */
const server = process.env.DORKOS_URL ?? 'http://127.0.0.1:4242'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), withoutJsonSchema(), withoutSummaries()],
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
        // What is needed before anything is shown, in two files: each compresses better than its parts, and the libraries change less
        // often than our own code. What only other screens need of a library comes with those.
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  // The highlighter, with a file for each language.
  worker: { format: 'es' },
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
