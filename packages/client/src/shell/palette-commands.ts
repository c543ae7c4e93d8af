/** What the command palette offers, and in which order. */
import type { LucideIcon } from 'lucide-react'
import { fitsWords, fuzzyRank } from '../composer/fuzzy.ts'
import type { HitPart } from '../sessions/mark-hits.ts'

/** `text`: places in conversations, which the server finds. */
const paletteGroups = ['here', 'sessions', 'actions', 'pages', 'text'] as const
type PaletteGroup = (typeof paletteGroups)[number]

export interface PaletteCommand {
  readonly id: string
  readonly group: PaletteGroup
  readonly title: string
  /** The title in parts, where some of it is what was looked for. */
  readonly marked?: readonly HitPart[]
  /** Beside the title: where a session is, which keys do the same. */
  readonly hint?: string | undefined
  readonly keys?: string | undefined
  readonly icon: LucideIcon
  /** Other words that somebody may look for. */
  readonly words?: string
  readonly run: () => void
}

const most = { here: 12, actions: 12, pages: 12, sessions: 20, text: 20 }
const mostUnasked = { here: 12, sessions: 6, actions: 3, pages: 12, text: 0 }

export interface CommandGroup {
  readonly group: PaletteGroup
  readonly commands: readonly PaletteCommand[]
}

/**
 * Those that fit, by group: without words in the order of the groups, otherwise the group with the best fit first. Inside a group the
 * best is first. Sessions are also found by letters that are far apart, after all others: what acts is never found by chance.
 */
export function fittingCommands(commands: readonly PaletteCommand[], query: string): CommandGroup[] {
  const asked = query.trim()
  const ranked = asked === '' ? commands : rank(commands, asked)
  const limits = asked === '' ? mostUnasked : most
  const order = asked === '' ? paletteGroups : [...new Set(ranked.map(({ group }) => group))]
  return order
    .map((group) => ({
      group,
      commands: ranked.filter((command) => command.group === group).slice(0, limits[group]),
    }))
    .filter(({ commands: some }) => some.length > 0)
}

function rank(commands: readonly PaletteCommand[], asked: string): readonly PaletteCommand[] {
  const fits = (command: PaletteCommand) => textsOf(command).some((words) => fitsWords(asked, words))
  const loose = commands.filter((command) => command.group === 'sessions' && !fits(command))
  return [...fuzzyRank(asked, commands.filter(fits), textsOf), ...fuzzyRank(asked, loose, textsOf)]
}

function textsOf({ title, words, hint }: PaletteCommand): string[] {
  return [title, ...(words === undefined ? [] : [words]), ...(hint === undefined ? [] : [hint])]
}
