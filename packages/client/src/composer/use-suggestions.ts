/** The list that opens while a command, a mention or a note is typed. */
import { useEffect, useMemo, useState } from 'react'
import { text as words } from '../text/text.ts'
import { useStateUntil } from '../ui/use-state-until.ts'
import type { Command } from './commands.ts'
import { fuzzyRank } from './fuzzy.ts'
import {
  canBeMentioned,
  type Edited,
  insertCommand,
  insertMemory,
  insertMention,
  type Trigger,
  triggerAt,
} from './triggers.ts'
import { type FoundFile, type SearchFiles, useFileSearch } from './use-file-search.ts'

/** What is known of the commands. */
export type CommandList =
  | { readonly state: 'ready'; readonly commands: readonly Command[] }
  | { readonly state: 'starting' }
  | { readonly state: 'unavailable'; readonly reason: string }

export type Option =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'file'; readonly file: FoundFile }
  /** The agent is asked to write it down, with its own tools. */
  | { readonly kind: 'memory'; readonly scope: 'project' | 'user' }

export interface Suggestions {
  readonly trigger: Trigger | undefined
  readonly open: boolean
  readonly options: readonly Option[]
  readonly active: number
  /** Shown in place of options. */
  readonly status: 'ready' | 'searching' | 'starting' | 'unavailable'
  setActive(index: number): void
  close(): void
  /** The text with the option in it. */
  apply(option: Option): Edited | undefined
}

const maxCommands = 60
const memoryOptions: readonly Option[] = [
  { kind: 'memory', scope: 'project' },
  { kind: 'memory', scope: 'user' },
]

export function useSuggestions(
  text: string,
  caret: number,
  commands: CommandList,
  searchFiles: SearchFiles | undefined,
): Suggestions {
  const trigger = useMemo(() => triggerAt(text, caret), [text, caret])
  const triggerKey = trigger && `${trigger.kind}:${trigger.start}`
  const [closedAt, setClosedAt] = useState<string>()
  // Another query begins at the top again.
  const [active, setActive] = useStateUntil(`${triggerKey} ${trigger?.query}`, 0)
  useEffect(() => {
    if (triggerKey !== closedAt) setClosedAt(undefined)
  }, [triggerKey, closedAt])

  const open = trigger !== undefined && triggerKey !== closedAt
  const found = useFileSearch(open && trigger.kind === 'mention' ? trigger.query : undefined, searchFiles)
  const options = useMemo<readonly Option[]>(() => {
    if (!open) return []
    if (trigger.kind === 'mention') return fileOptions(found.files)
    if (trigger.kind === 'memory') return memoryOptions
    return commands.state === 'ready' ? commandOptions(commands.commands, trigger.query) : []
  }, [open, trigger, found.files, commands])
  const commandStatus = commands.state
  return {
    trigger,
    open: open && (trigger.kind !== 'mention' || searchFiles !== undefined),
    options,
    active: Math.min(active, Math.max(0, options.length - 1)),
    status:
      trigger?.kind === 'mention' ? (found.state === 'searching' ? 'searching' : 'ready') : commandStatus,
    setActive,
    close: () => setClosedAt(triggerKey),
    apply: (option) => applied(text, trigger, option),
  }
}

function commandOptions(commands: readonly Command[], query: string): Option[] {
  return fuzzyRank(query, commands, ({ name, aliases }) => [name, ...aliases])
    .slice(0, maxCommands)
    .map((command) => ({ kind: 'command', command }))
}

function fileOptions(files: readonly FoundFile[]): Option[] {
  return files.filter(({ path }) => canBeMentioned(path)).map((file) => ({ kind: 'file', file }))
}

function applied(text: string, trigger: Trigger | undefined, option: Option): Edited | undefined {
  if (trigger?.kind === 'command' && option.kind === 'command')
    return insertCommand(text, trigger, option.command.name)
  if (trigger?.kind === 'mention' && option.kind === 'file')
    return insertMention(text, trigger, option.file.path, option.file.kind)
  if (trigger?.kind === 'memory' && option.kind === 'memory')
    return insertMemory(text, words.composer.remember.requests[option.scope])
  return undefined
}

/** The element of an option, for the text box that steers the list. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}
