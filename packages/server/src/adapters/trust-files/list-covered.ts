/** Lists what trust in a workspace covers by where it lies; what commands name comes on top. */
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from '../../core/real-path.ts'
import { isData, loadedFromAbove, loadedNames } from './covered-names.ts'
import { FileList } from './file-list.ts'
import { placesAbove } from './loading-places.ts'

export interface ListingOptions {
  ownerHome: string
  /** Never read: what lies in it is not the workspace's. */
  stateFolder: string
  /** The CLI's own folder, where a workspace holds it: only what the CLI loads from it is covered. */
  claudeConfigDir: string
}

export interface CoveredListing {
  list: FileList
  places: string[]
}

export async function listCovered(root: string, options: ListingOptions): Promise<CoveredListing> {
  const above = await placesAbove(root, options.ownerHome)
  const places = [root, ...above]
  const list = new FileList({ root, within: places })
  list.marks.push(`places ${places.join('\0')}`)
  const real = await realpath(root).catch(() => undefined)
  if (real !== root)
    list.faults.push({
      path: '.',
      reason: 'The directory is not there, or is a link now; add the directory that is meant.',
    })
  await list.add(join(root, '.mcp.json'))
  const config = await realpath(options.claudeConfigDir).catch(() => options.claudeConfigDir)
  for (const place of places) {
    const folder = join(place, '.claude')
    const isOwn = (await realpath(folder).catch(() => folder)) === config
    const settings = place === root ? ['settings.json', 'settings.local.json'] : ['settings.local.json']
    if (place === root && !isOwn) await list.add(folder, (path) => isData(path.slice(folder.length + 1)))
    else if (place === root || !isOwn)
      for (const name of [...settings, ...(place === root ? loadedNames : loadedFromAbove)])
        await list.add(join(folder, name), (path) => isData(path.slice(folder.length + 1)))
  }
  if (!isInside(options.stateFolder, toolsOf(root))) await list.add(toolsOf(root))
  leaveOutEmpty(list, root, places)
  return { list, places }
}

/**
 * While a sandboxed command runs, the sandbox keeps the place of what agents must not make with an empty file. Nothing is loaded from
 * one, so it counts as not there. Not so a link: what it leads to lies where agents may write.
 */
function leaveOutEmpty(list: FileList, root: string, places: readonly string[]): void {
  const folders = places.map((place) => join(place, '.claude'))
  for (const [path, { real, isLink, size }] of list.files) {
    const canBeKept = path === join(root, '.mcp.json') || folders.includes(dirname(path))
    if (canBeKept && size === 0 && !isLink && real === path) list.files.delete(path)
  }
}

export const toolsOf = (root: string) => join(root, '.dorkos', 'tools')
