/** Every shortcut, in one table: what listens for keys and the sheet that tells of them are made from it. */
import { text } from '../text/text.ts'

const words = text.shell.shortcuts

/**
 * Keys as in `mod+k` (Ctrl, on a Mac Command), `alt+a`, `?`, or one after the other as in `g i`. `else`: something else on the page
 * listens for it, and it stands here to be told.
 */
const table = [
  { id: 'palette', keys: 'mod+k', label: words.palette, group: 'everywhere' },
  { id: 'sheet', keys: '?', label: words.sheet, group: 'everywhere' },
  { id: 'new', keys: 'n', label: words.new, group: 'everywhere' },
  { id: 'search', keys: '/', label: words.search, group: 'everywhere' },
  { id: 'sidebar', keys: 'mod+b', label: words.sidebar, group: 'everywhere' },
  { id: 'previous', keys: '[', label: words.previous, group: 'everywhere' },
  { id: 'next', keys: ']', label: words.next, group: 'everywhere' },
  { id: 'previous-typing', keys: 'alt+up', label: words.previousTyping, group: 'everywhere' },
  { id: 'next-typing', keys: 'alt+down', label: words.nextTyping, group: 'everywhere' },
  { id: 'go:/', keys: 'g h', label: words.go(text.shell.pages.home), group: 'pages' },
  { id: 'go:/inbox', keys: 'g i', label: words.go(text.shell.pages.inbox), group: 'pages' },
  { id: 'go:/mcp', keys: 'g m', label: words.go(text.shell.pages.mcp), group: 'pages' },
  { id: 'go:/workspaces', keys: 'g w', label: words.go(text.shell.pages.workspaces), group: 'pages' },
  { id: 'go:/costs', keys: 'g c', label: words.go(text.shell.pages.costs), group: 'pages' },
  { id: 'go:/tools', keys: 'g t', label: words.go(text.shell.pages.tools), group: 'pages' },
  { id: 'go:/rules', keys: 'g r', label: words.go(text.shell.pages.rules), group: 'pages' },
  { id: 'go:/audit', keys: 'g a', label: words.go(text.shell.pages.audit), group: 'pages' },
  { id: 'go:/devices', keys: 'g d', label: words.go(text.shell.pages.devices), group: 'pages' },
  { id: 'go:/settings', keys: 'g s', label: words.go(text.shell.pages.settings), group: 'pages' },
  { id: 'go:/system', keys: 'g y', label: words.go(text.shell.pages.system), group: 'pages' },
  { id: 'next-approval', keys: 'alt+a', label: words.nextApproval, group: 'approvals', else: true },
  { id: 'allow', keys: 'a', label: words.allow, group: 'approvals', else: true },
  { id: 'allow-session', keys: 's', label: words.allowSession, group: 'approvals', else: true },
  { id: 'deny', keys: 'd', label: words.deny, group: 'approvals', else: true },
  { id: 'edit-input', keys: 'e', label: words.editInput, group: 'approvals', else: true },
  { id: 'send', keys: 'enter', label: words.send, group: 'composer', else: true },
  { id: 'newline', keys: 'shift+enter', label: words.newline, group: 'composer', else: true },
  { id: 'steer', keys: 'mod+enter', label: words.steer, group: 'composer', else: true },
  { id: 'stop', keys: 'escape', label: words.stop, group: 'composer', else: true },
  { id: 'mode', keys: 'shift+tab', label: words.mode, group: 'composer', else: true },
  { id: 'history', keys: 'up', label: words.history, group: 'composer', else: true },
] as const satisfies readonly Shortcut[]

export type ShortcutId = (typeof table)[number]['id']
export type ShortcutGroup = 'everywhere' | 'pages' | 'approvals' | 'composer'

export interface Shortcut {
  readonly id: string
  readonly keys: string
  readonly label: string
  readonly group: ShortcutGroup
  readonly else?: boolean
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

/** Tells for each key that is pressed which shortcut it completes. */
export function createShortcutReader(): (press: KeyPress) => ShortcutId | undefined {
  const own = shortcuts.filter((shortcut) => !shortcut.else)
  const prefixes = new Set(own.flatMap(({ keys }) => (keys.includes(' ') ? [keys.split(' ')[0]] : [])))
  let before: { key: string; time: number } | undefined
  return (press) => {
    const first = before && press.time - before.time <= sequenceMs ? before.key : undefined
    before = undefined
    const key = nameOf(press)
    if (key === undefined) return undefined
    const found = own.find(({ keys }) => keys === (first === undefined ? key : `${first} ${key}`))
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
