/** Lists what trust in a workspace covers by where it lies; what commands name comes on top. */
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from '../../core/real-path.ts'
import { isData, loadedFromAbove, loadedNames } from './covered-names.ts'
import { FileList } from './file-list.ts'
import { foldersAbove } from './loading-folders.ts'

export interface ListingOptions {
  ownerHome: string
  /** Never read: what lies in them is not the workspace's. */
  closedFolders: readonly string[]
  /** The CLI's own folder, where a workspace holds it: only what the CLI loads from it is covered. */
  claudeConfigDir: string
}

export interface CoveredListing {
  list: FileList
  roots: string[]
}

export async function listCovered(root: string, options: ListingOptions): Promise<CoveredListing> {
  const above = await foldersAbove(root, options.ownerHome)
  const roots = [root, ...above]
  const list = new FileList({ root, within: roots })
  list.marks.push(`places ${roots.join('\0')}`)
  const real = await realpath(root).catch(() => undefined)
  if (real !== root)
    list.faults.push({
      path: '.',
      reason: 'The directory is not there, or is a link now; add the directory that is meant.',
    })
  await list.add(join(root, '.mcp.json'))
  const config = await realpath(options.claudeConfigDir).catch(() => options.claudeConfigDir)
  for (const base of roots) {
    const folder = join(base, '.claude')
    const isOwn = (await realpath(folder).catch(() => folder)) === config
    const settings = base === root ? ['settings.json', 'settings.local.json'] : ['settings.local.json']
    if (base === root && !isOwn) await list.add(folder, (path) => isData(path.slice(folder.length + 1)))
    else if (base === root || !isOwn)
      for (const name of [...settings, ...(base === root ? loadedNames : loadedFromAbove)])
        await list.add(join(folder, name), (path) => isData(path.slice(folder.length + 1)))
  }
  for (const own of [toolsOf(root), profilesOf(root)])
    if (!options.closedFolders.some((folder) => isInside(folder, own))) await list.add(own)
  leaveOutEmpty(list, root, roots)
  return { list, roots }
}

/**
 * While a sandboxed command runs, the sandbox keeps the place of what agents must not make with an empty file. Nothing is loaded from
 * one, so it counts as not there. Not so a link: what it leads to lies where agents may write.
 */
function leaveOutEmpty(list: FileList, root: string, roots: readonly string[]): void {
  const folders = roots.map((base) => join(base, '.claude'))
  for (const [path, { real, isLink, size }] of list.files) {
    const canBeKept = path === join(root, '.mcp.json') || folders.includes(dirname(path))
    if (canBeKept && size === 0 && !isLink && real === path) list.files.delete(path)
  }
}

export const toolsOf = (root: string) => join(root, '.dorkos', 'tools')
export const profilesOf = (root: string) => join(root, '.dorkos', 'agents')
