/** The frame that draws diagrams: one classic script, because modules do not load in a document without an origin. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: 'dist/page/diagram',
    emptyOutDir: false,
    target: 'es2022',
    chunkSizeWarningLimit: 10_000,
    reportCompressedSize: false,
    lib: { entry: 'diagram/main.ts', formats: ['iife'], name: 'diagram', fileName: () => 'diagram.js' },
  },
})
