/** Commands and skills as the CLI lists them, or the server without one. They come from a program and from files: nothing about them is taken on trust. */
import type { WorkspaceCommands } from '@dorkos/shared'

/** Where a command comes from, as far as the CLI says. */
type CommandSource = 'project' | 'user' | 'plugin' | 'mcp' | 'builtin'

export interface Command {
  readonly name: string
  readonly description: string
  /** Such as `[environment]`; empty where there is none. */
  readonly argumentHint: string
  readonly aliases: readonly string[]
  readonly source: CommandSource
}

const maxCommands = 1000
const maxDescription = 500
const order: readonly CommandSource[] = ['project', 'user', 'plugin', 'mcp', 'builtin']

/** What a process says. Those that can be used, the nearest source first; what does not fit is left out. */
export function parseCommands(list: readonly unknown[]): Command[] {
  return inOrder(list.slice(0, maxCommands).flatMap((entry) => parseCommand(entry) ?? []))
}

/** The same of what the server says of a workspace. */
export function workspaceCommands({ commands }: WorkspaceCommands): Command[] {
  const usable = commands.slice(0, maxCommands).filter(({ name }) => isUsable(name))
  return inOrder(
    usable.map(({ name, description, argument_hint, aliases, source }) => ({
      name,
      description: shortened(description),
      argumentHint: argument_hint,
      aliases,
      source,
    })),
  )
}

function inOrder(commands: readonly Command[]): Command[] {
  const seen = new Set<string>()
  const first = commands.filter(({ name }) => !seen.has(name) && seen.add(name))
  return first.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source))
}

/** Names with two leading underscores are the CLI's own business. */
function isUsable(name: string): boolean {
  return /^[^\s/][^\s]{0,199}$/.test(name) && !name.startsWith('__')
}

function shortened(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim()
  return line.length > maxDescription ? `${line.slice(0, maxDescription)}…` : line
}

function parseCommand(entry: unknown): Command | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { name, description, argumentHint, aliases, builtin } = entry as Record<string, unknown>
  if (typeof name !== 'string' || !isUsable(name)) return undefined
  const line = typeof description === 'string' ? description.replace(/\s+/g, ' ').trim() : ''
  const { source, rest } = sourceOf(name, line, builtin === true)
  return {
    name,
    description: shortened(rest),
    argumentHint: typeof argumentHint === 'string' ? argumentHint.slice(0, 200) : '',
    aliases: Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === 'string').slice(0, 10) : [],
    source,
  }
}

/** The CLI (2.1.325) states the source of a command only at the end of its description: "Makes tea (project)". */
function sourceOf(
  name: string,
  description: string,
  builtin: boolean,
): { source: CommandSource; rest: string } {
  if (builtin) return { source: 'builtin', rest: description }
  const found = /\((project|user|local|plugin|mcp|managed)(?:[:,][^()]*)?\)$/i.exec(description)
  const rest = found ? description.slice(0, found.index).trimEnd() : description
  const word = found?.[1]?.toLowerCase()
  if (word === 'project' || word === 'local') return { source: 'project', rest }
  if (word === 'plugin' || /^\(plugin/i.test(description)) return { source: 'plugin', rest }
  if (word === 'mcp' || name.startsWith('mcp__')) return { source: 'mcp', rest }
  return { source: 'user', rest }
}
