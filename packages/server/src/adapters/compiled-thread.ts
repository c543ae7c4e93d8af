/** Where the programs of threads are: one file each, which `scripts/bundle.mjs` makes of their compiled modules. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Node 20 runs no TypeScript: from the sources (in tests) the built file is used too. */
export function compiledThread(name: 'database' | 'checkpointer' | 'maintenance' | 'transcript-index'): URL {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return new URL(`../threads/${name}.js`, here)
  const url = new URL(`../../dist/threads/${name}.js`, here)
  if (!existsSync(fileURLToPath(url)))
    throw new Error(`${fileURLToPath(url)} is missing: run \`npm run build\` first`)
  return url
}
