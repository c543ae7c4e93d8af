/** The tree as it is drawn: one row for each file and folder that is in sight, in order. */
import type { SessionFolder } from '@dorkos/shared'

export interface TreeRow {
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'directory'
  /** From 1. */
  readonly level: number
  readonly isOpen: boolean
  /** Where it stands among those of its folder, from 1, and how many those are. */
  readonly position: number
  readonly of: number
  /** An open folder whose content is not known yet, or that has none. */
  readonly content: 'loading' | 'empty' | 'listed'
}

/** Of each folder that is known, its content; the root is ''. */
export type Folders = ReadonlyMap<string, SessionFolder>

export function treeRows(folders: Folders, open: ReadonlySet<string>, folder = '', level = 1): TreeRow[] {
  const entries = folders.get(folder)?.entries ?? []
  return entries.flatMap(({ name, kind }, index) => {
    const path = folder === '' ? name : `${folder}/${name}`
    const isOpen = kind === 'directory' && open.has(path)
    const known = folders.get(path)
    const content = known === undefined ? 'loading' : known.entries.length === 0 ? 'empty' : 'listed'
    const row: TreeRow = { path, name, kind, level, isOpen, position: index + 1, of: entries.length, content }
    return isOpen ? [row, ...treeRows(folders, open, path, level + 1)] : [row]
  })
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** All folders above a path, the highest first. */
export function foldersAbove(path: string): string[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [...foldersAbove(parent), parent]
}

export type TreeMove = { focus: string } | { open: string } | { close: string } | { choose: string }

/** What a key does in a tree, as the ARIA practices have it; undefined: nothing. */
export function treeMove(key: string, rows: readonly TreeRow[], at: string): TreeMove | undefined {
  const index = rows.findIndex(({ path }) => path === at)
  const row = rows[index]
  const focus = (target: TreeRow | undefined) => target && { focus: target.path }
  if (row === undefined) return undefined
  switch (key) {
    case 'ArrowDown':
      return focus(rows[index + 1])
    case 'ArrowUp':
      return focus(rows[index - 1])
    case 'Home':
      return focus(rows[0])
    case 'End':
      return focus(rows.at(-1))
    case 'ArrowRight': {
      if (row.kind === 'file') return undefined
      const next = rows[index + 1]
      return row.isOpen ? focus(next && next.level > row.level ? next : undefined) : { open: row.path }
    }
    case 'ArrowLeft':
      if (row.isOpen) return { close: row.path }
      return focus(rows.find(({ path }) => path === parentOf(row.path)))
    case 'Enter':
    case ' ':
      if (row.kind === 'file') return { choose: row.path }
      return row.isOpen ? { close: row.path } : { open: row.path }
    default:
      return startingWith(key, rows, index)
  }
}

/** The next one whose name begins with the letter, around the end. */
function startingWith(key: string, rows: readonly TreeRow[], index: number): TreeMove | undefined {
  if (key.length !== 1) return undefined
  const letter = key.toLowerCase()
  const after = [...rows.slice(index + 1), ...rows.slice(0, index)]
  const found = after.find(({ name }) => name.toLowerCase().startsWith(letter))
  return found && { focus: found.path }
}
