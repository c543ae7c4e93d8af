/** Where the packages are that every module may import. */
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders whose files are ours, as real paths. */
export function ownFolders(): string[] {
  const sdk = fileURLToPath(import.meta.resolve('claude-code-agent'))
  const files = [
    fileURLToPath(import.meta.url),
    sdk,
    fileURLToPath(import.meta.resolve('zod')),
    createRequire(sdk).resolve('@cfworker/json-schema'),
  ]
  return files.map((file) => packageFolder(realpathSync(file)))
}

function packageFolder(file: string): string {
  let folder = dirname(file)
  // A package's own package.json; those of its `dist/esm` and the like only say what kind of modules are there.
  while (!isPackage(folder)) {
    // Everything would be ours.
    if (dirname(folder) === folder) throw new Error(`${file} belongs to no package`)
    folder = dirname(folder)
  }
  return folder
}

function isPackage(folder: string): boolean {
  const file = join(folder, 'package.json')
  return existsSync(file) && 'version' in (createRequire(file)(file) as object)
}
