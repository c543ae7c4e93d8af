/** Calls of one family in one line: "Read 6 files, searched 2 times". */
import type { ToolItem } from '../../live/page-session.ts'
import { textOf } from '../../live/untrusted-field.ts'
import { text } from '../../text/text.ts'
import { inputOf } from './tool-title.ts'

type Kind = keyof typeof text.conversation.groupParts

const kinds: Readonly<Record<string, Kind>> = {
  Read: 'read',
  NotebookRead: 'read',
  Grep: 'search',
  Glob: 'find',
  LS: 'list',
  TodoWrite: 'todo',
  TaskCreate: 'todo',
  TaskUpdate: 'todo',
  TaskList: 'todo',
  TaskGet: 'todo',
}

export interface GroupSummary {
  words: string
  isRunning: boolean
  failed: number
}

export function groupSummary(items: readonly ToolItem[]): GroupSummary {
  const counts = new Map<Kind, number>()
  const files = new Set<string>()
  for (const item of items) {
    const kind = kinds[item.name] ?? 'read'
    const input = inputOf(item)
    const path = textOf(input.file_path) ?? textOf(input.notebook_path)
    // A file that is read in parts is one file.
    if (kind === 'read' && path !== undefined && files.has(path)) continue
    if (kind === 'read' && path !== undefined) files.add(path)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const words = [...counts].map(([kind, count]) => text.conversation.groupParts[kind](count)).join(', ')
  return {
    words: words.charAt(0).toUpperCase() + words.slice(1),
    isRunning: items.some(({ status }) => status === 'running' || status === 'writing'),
    failed: items.filter(({ status }) => status === 'failed').length,
  }
}
