/**
 * The shortcuts of the shell, in one table: what listens for keys is made from it, and `shown-shortcuts.ts` describes them. Keys as in
 * `mod+k` (Ctrl, on a Mac Command), `alt+a`, `?`, or one after the other as in `g i`.
 */
const table = [
  { id: 'palette', keys: 'mod+k' },
  { id: 'sheet', keys: '?' },
  { id: 'new', keys: 'n' },
  { id: 'search', keys: '/' },
  { id: 'sidebar', keys: 'mod+b' },
  { id: 'previous', keys: '[' },
  { id: 'next', keys: ']' },
  { id: 'previous-typing', keys: 'alt+up' },
  { id: 'next-typing', keys: 'alt+down' },
  { id: 'go:/', keys: 'g h' },
  { id: 'go:/inbox', keys: 'g i' },
  { id: 'go:/mcp', keys: 'g m' },
  { id: 'go:/workspaces', keys: 'g w' },
  { id: 'go:/costs', keys: 'g c' },
  { id: 'go:/tools', keys: 'g t' },
  { id: 'go:/rules', keys: 'g r' },
  { id: 'go:/audit', keys: 'g a' },
  { id: 'go:/devices', keys: 'g d' },
  { id: 'go:/settings', keys: 'g s' },
  { id: 'go:/system', keys: 'g y' },
] as const satisfies readonly Shortcut[]

export type ShortcutId = (typeof table)[number]['id']

export interface Shortcut {
  readonly id: string
  readonly keys: string
}

export const shortcuts: readonly (Shortcut & { readonly id: ShortcutId })[] = table

export interface KeyPress {
  readonly key: string
  readonly ctrl: boolean
  readonly meta: boolean
  readonly alt: boolean
  /** Focus is where letters are typed. */
  readonly typing: boolean
  readonly time: number
}

const sequenceMs = 1200

/** Determines for each key that is pressed which shortcut it completes. */
export function createShortcutReader(): (press: KeyPress) => ShortcutId | undefined {
  const prefixes = new Set(shortcuts.flatMap(({ keys }) => (keys.includes(' ') ? [keys.split(' ')[0]] : [])))
  let before: { key: string; time: number } | undefined
  return (press) => {
    const first = before && press.time - before.time <= sequenceMs ? before.key : undefined
    before = undefined
    const key = nameOf(press)
    if (key === undefined) return undefined
    const found = shortcuts.find(({ keys }) => keys === (first === undefined ? key : `${first} ${key}`))
    if (found || first !== undefined) return found?.id
    if (prefixes.has(key)) before = { key, time: press.time }
    return undefined
  }
}

/** Letters alone do nothing while somebody types. Shift is part of the character already. */
function nameOf({ key, ctrl, meta, alt, typing }: KeyPress): string | undefined {
  const name = key.toLowerCase().replace(/^arrow/, '')
  if ((ctrl || meta) && !alt) return `mod+${name}`
  if (alt && !ctrl && !meta) return `alt+${name}`
  if (typing || ctrl || meta || alt) return undefined
  // A capital letter is not its small one.
  return key.length === 1 ? key : undefined
}

const mac: Record<string, string> = { mod: '⌘', alt: '⌥', shift: '⇧' }
const other: Record<string, string> = { mod: 'Ctrl', alt: 'Alt', shift: 'Shift' }
const named: Record<string, string> = { escape: 'Esc', enter: 'Enter', tab: 'Tab', up: '↑', down: '↓' }

/** The keys as they are written on the keyboard: groups that follow each other, of keys that are held together. */
export function keyCaps(keys: string, isMac = onMac()): string[][] {
  const modifiers = isMac ? mac : other
  return keys
    .split(' ')
    .map((group) => group.split('+').map((key) => modifiers[key] ?? named[key] ?? key.toUpperCase()))
}

/** In one string, for tooltips. */
export function keysOf(id: ShortcutId): string {
  const found = shortcuts.find((shortcut) => shortcut.id === id)
  return found
    ? keyCaps(found.keys)
        .map((group) => group.join(' '))
        .join(', ')
    : ''
}

function onMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)
}
