/** All keys of the page, as the sheet shows them. */
import { text } from '../text/page-text.ts'
import { type Shortcut, type ShortcutId, shortcuts } from './shortcuts.ts'

export type ShortcutGroup = keyof typeof words.groups

interface SheetEntry {
  readonly label: string
  readonly group: ShortcutGroup
}

export type ShownShortcut = Shortcut & SheetEntry

const words = text.shell.shortcuts
const { pages } = text.shell

const own: Readonly<Record<ShortcutId, SheetEntry>> = {
  palette: { label: words.palette, group: 'everywhere' },
  sheet: { label: words.sheet, group: 'everywhere' },
  'new': { label: words.new, group: 'everywhere' },
  search: { label: words.search, group: 'everywhere' },
  sidebar: { label: words.sidebar, group: 'everywhere' },
  previous: { label: words.previous, group: 'everywhere' },
  next: { label: words.next, group: 'everywhere' },
  'previous-typing': { label: words.previousTyping, group: 'everywhere' },
  'next-typing': { label: words.nextTyping, group: 'everywhere' },
  'go:/': { label: pages.home, group: 'pages' },
  'go:/inbox': { label: pages.inbox, group: 'pages' },
  'go:/mcp': { label: pages.mcp, group: 'pages' },
  'go:/workspaces': { label: pages.workspaces, group: 'pages' },
  'go:/costs': { label: pages.costs, group: 'pages' },
  'go:/tools': { label: pages.tools, group: 'pages' },
  'go:/rules': { label: pages.rules, group: 'pages' },
  'go:/audit': { label: pages.audit, group: 'pages' },
  'go:/devices': { label: pages.devices, group: 'pages' },
  'go:/settings': { label: pages.settings, group: 'pages' },
  'go:/system': { label: pages.system, group: 'pages' },
}

/** Something else on the page listens for these. */
const others: readonly ShownShortcut[] = [
  { id: 'next-approval', keys: 'alt+a', label: words.nextApproval, group: 'approvals' },
  { id: 'allow', keys: 'a', label: words.allow, group: 'approvals' },
  { id: 'allow-session', keys: 's', label: words.allowSession, group: 'approvals' },
  { id: 'deny', keys: 'd', label: words.deny, group: 'approvals' },
  { id: 'edit-input', keys: 'e', label: words.editInput, group: 'approvals' },
  { id: 'choose-answer', keys: '1…9', label: words.chooseAnswer, group: 'approvals' },
  { id: 'other-question', keys: '←/→', label: words.otherQuestion, group: 'approvals' },
  { id: 'send-answer', keys: 'mod+enter', label: words.sendAnswer, group: 'approvals' },
  { id: 'leave-card', keys: 'escape', label: words.leaveCard, group: 'approvals' },
  { id: 'send', keys: 'enter', label: words.send, group: 'composer' },
  { id: 'newline', keys: 'shift+enter', label: words.newline, group: 'composer' },
  { id: 'steer', keys: 'mod+enter', label: words.steer, group: 'composer' },
  { id: 'stop', keys: 'escape', label: words.stop, group: 'composer' },
  { id: 'mode', keys: 'shift+tab', label: words.mode, group: 'composer' },
  { id: 'history', keys: 'up', label: words.history, group: 'composer' },
  { id: 'remember', keys: '#', label: words.remember, group: 'composer' },
]

export const shownShortcuts: readonly ShownShortcut[] = [
  ...shortcuts.map((shortcut) => ({ ...shortcut, ...own[shortcut.id] })),
  ...others,
]
