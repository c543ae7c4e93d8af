/** Files of the workspace that commands name: an agent that could write one would decide what runs outside of its sandbox. */

import { lstat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isInside } from '../../core/real-path.ts'
import { commandWords } from '../../core/trust/command-words.ts'
import { type Looked, look } from './file-list.ts'

export interface NamedCommand {
  texts: string[]
  cwd?: string
}

export interface NamedFiles {
  /** Inside the workspace, links followed. */
  scripts: string[]
  /** Links in the workspace that lead out of it, and where to. */
  links: { path: string; real: string }[]
  /** Every path that was looked for: when what stands there changes, all has to be read again. */
  looked: string[]
  tooMany: boolean
}

const MAX_LOOKED = 4000
const MAX_BASES = 8

export async function findNamedFiles(
  commands: readonly NamedCommand[],
  place: { root: string; ownerHome: string; closed: readonly string[] },
): Promise<NamedFiles> {
  const { root } = place
  const seen = new Map<string, Looked | undefined>()
  const found: NamedFiles = { scripts: [], links: [], looked: [], tooMany: false }
  const at = async (path: string): Promise<Looked | undefined> => {
    if (seen.has(path)) return seen.get(path)
    const looked = await look(path).catch(() => undefined)
    seen.set(path, looked)
    return looked
  }
  for (const { texts, cwd } of commands) {
    const words = texts.flatMap((text) => {
      const some = commandWords(text, place)
      if (!some) found.tooMany = true
      return some ?? []
    })
    const bases = new Set([root, ...(cwd === undefined ? [] : [resolve(root, cwd)])])
    for (const base of bases) {
      for (const word of words) {
        if (seen.size > MAX_LOOKED) return { ...found, looked: [...seen.keys()], tooMany: true }
        const path = isAbsolute(word) ? resolve(word) : resolve(base, word)
        if (path === root || place.closed.some((folder) => isInside(folder, path))) continue
        const looked = await at(path)
        if (looked?.target.isDirectory() && isInside(root, looked.real) && bases.size < MAX_BASES)
          bases.add(path)
        if (looked?.target.isFile()) sort(path, looked, root, found)
      }
    }
  }
  return { ...found, looked: [...seen.keys()] }
}

function sort(path: string, { real }: Looked, root: string, found: NamedFiles): void {
  if (isInside(root, real)) {
    if (!found.scripts.includes(path)) found.scripts.push(path)
  } else if (isInside(root, path) && !found.links.some((link) => link.path === path))
    found.links.push({ path, real })
}

/** Folders of the workspace that hold a link on the way to the path: whoever can write there can lead it elsewhere. */
export async function foldersOfLinks(root: string, path: string): Promise<string[]> {
  const folders: string[] = []
  const parts = isInside(root, path) ? path.slice(root.length).split(sep).filter(Boolean) : []
  let way = root
  for (const part of parts) {
    way = join(way, part)
    if ((await lstat(way).catch(() => undefined))?.isSymbolicLink() && dirname(way) !== root)
      folders.push(dirname(way))
  }
  return folders
}
