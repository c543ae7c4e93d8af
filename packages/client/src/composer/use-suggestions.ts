/** The list that opens while a command or a mention is typed. */
import { useEffect, useMemo, useState } from 'react'
import type { Command } from './commands.ts'
import { fuzzyRank } from './fuzzy.ts'
import {
  canBeMentioned,
  type Edited,
  insertCommand,
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

export function useSuggestions(
  text: string,
  caret: number,
  commands: CommandList,
  searchFiles: SearchFiles | undefined,
): Suggestions {
  const trigger = useMemo(() => triggerAt(text, caret), [text, caret])
  const place = trigger && `${trigger.kind}:${trigger.start}`
  const [closedAt, setClosedAt] = useState<string>()
  const [active, setActive] = useState(0)
  useEffect(() => {
    if (place !== closedAt) setClosedAt(undefined)
  }, [place, closedAt])
  const query = trigger?.query
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at the top again.
  useEffect(() => setActive(0), [query, place])

  const open = trigger !== undefined && place !== closedAt
  const found = useFileSearch(open && trigger.kind === 'mention' ? trigger.query : undefined, searchFiles)
  const options = useMemo<readonly Option[]>(() => {
    if (!open) return []
    if (trigger.kind === 'mention') return fileOptions(found.files)
    return commands.state === 'ready' ? commandOptions(commands.commands, trigger.query) : []
  }, [open, trigger, found.files, commands])
  const commandStatus = commands.state
  return {
    trigger,
    open: open && (trigger.kind === 'command' || searchFiles !== undefined),
    options,
    active: Math.min(active, Math.max(0, options.length - 1)),
    status:
      trigger?.kind === 'mention' ? (found.state === 'searching' ? 'searching' : 'ready') : commandStatus,
    setActive,
    close: () => setClosedAt(place),
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
  return undefined
}
