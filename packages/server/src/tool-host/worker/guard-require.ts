/** `require` loads files without asking the import hooks. Where approval is needed, it gives approved bytes only. */
import module from 'node:module'
import { approvedBytes, isInsideAny } from './approved-bytes.ts'

interface RequiredModule {
  exports: unknown
  _compile(source: string, path: string): void
}
type Extension = (module: RequiredModule, path: string) => void

export function guardRequire(
  approved: Readonly<Record<string, string>>,
  ownFolders: readonly string[],
): void {
  const extensions = (module as unknown as { _extensions: Record<string, Extension> })._extensions
  for (const [ending, before] of Object.entries(extensions)) {
    extensions[ending] = (loaded, path) => {
      if (isInsideAny(path, ownFolders)) return before(loaded, path)
      const bytes = approvedBytes(path, approved)
      if (ending === '.json') loaded.exports = JSON.parse(bytes.toString('utf8'))
      else if (ending === '.js' && !path.endsWith('.mjs')) loaded._compile(bytes.toString('utf8'), path)
      else throw new Error(`${path} cannot be required where approval is needed; import it`)
    }
  }
}
