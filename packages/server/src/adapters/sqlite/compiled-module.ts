/** Where the modules that run in threads are. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Node 20 runs no TypeScript: from the sources (in tests) the compiled module is used. */
export function compiledModule(name: 'worker' | 'checkpointer' | 'maintenance'): URL {
  const here = import.meta.url
  if (!here.endsWith('.ts')) return new URL(`./worker/${name}.js`, here)
  const url = new URL(`../../../dist/adapters/sqlite/worker/${name}.js`, here)
  if (!existsSync(fileURLToPath(url)))
    throw new Error(`${fileURLToPath(url)} is missing: run \`npm run build\` first`)
  return url
}
