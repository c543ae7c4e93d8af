// Joins the SDK's compiled modules into dist/index.js: one file loads in a third of the time that a hundred take
// (docs/decisions/0004-one-file-to-import.md). What is imported on first use stays in files of its own.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const dist = fileURLToPath(new URL('../packages/claude-code-agent/dist', import.meta.url))
rmSync(join(dist, 'chunks'), { recursive: true, force: true })

const build = await rolldown({
  input: join(dist, 'modules', 'index.js'),
  platform: 'node',
  external: [/^node:/, /^@cfworker\//, /^zod(\/|$)/],
  logLevel: 'warn',
})
await build.write({
  dir: dist,
  format: 'esm',
  sourcemap: true,
  entryFileNames: 'index.js',
  chunkFileNames: 'chunks/[name].js',
})
await build.close()
