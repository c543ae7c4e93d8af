/** What the flags of `dorkos mcp edit` make of an entry. Pure. */
import type { McpEntryInput } from '@dorkos/shared'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { exactLine } from '../../terminal/escape.ts'
import { envPairs, headerPairs } from './entry-pairs.ts'

export interface EntryFlags {
  command?: string
  arg?: string[]
  env?: string[]
  unsetEnv?: string[]
  cwd?: string
  url?: string
  transport?: 'http' | 'sse'
  header?: string[]
  unsetHeader?: string[]
  /** Milliseconds; `default` takes the limit away. */
  timeout?: number | 'default'
  sharing?: 'auto' | 'shared' | 'session'
  mode?: ('host' | 'container')[]
}

const ofProgram = ['command', 'arg', 'env', 'unsetEnv', 'cwd'] as const
const ofAddress = ['url', 'transport', 'header', 'unsetHeader'] as const
const ofBoth = ['timeout', 'sharing', 'mode'] as const

export function changesSomething(flags: EntryFlags): boolean {
  return [...ofProgram, ...ofAddress, ...ofBoth].some((name) => flags[name] !== undefined)
}

/** Throws `CliError` for what does not fit the entry. */
export function changeEntry(entry: McpEntryInput, flags: EntryFlags): McpEntryInput {
  const common = {
    ...(flags.timeout !== undefined && { timeout: flags.timeout === 'default' ? undefined : flags.timeout }),
    ...(flags.sharing && { sharing: flags.sharing }),
    ...(flags.mode && { modes: [...new Set(flags.mode)] }),
  }
  if (entry.url !== undefined) {
    refuse(flags, ofProgram, 'has a URL')
    return { ...entry, ...addressChange(entry, flags), ...common }
  }
  refuse(flags, ofAddress, 'is a program')
  return { ...entry, ...programChange(entry, flags), ...common }
}

function refuse(flags: EntryFlags, names: readonly (keyof EntryFlags)[], what: string): void {
  const [given] = names.filter((name) => flags[name] !== undefined)
  if (given === undefined) return
  const flag = given.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
  throw new CliError(
    `This server ${what}, so --${flag} doesn’t apply. To change its type, edit the entry: run the command without flags.`,
    exitCodes.usage,
  )
}

function programChange(entry: McpEntryInput, { command, arg, env, unsetEnv, cwd }: EntryFlags) {
  return {
    ...(command !== undefined && { command }),
    ...(arg && { args: arg }),
    ...((env || unsetEnv) && {
      env: changePairs(entry.env, envPairs(env), unsetEnv, (name) => name),
    }),
    ...(cwd !== undefined && { cwd }),
  }
}

function addressChange(entry: McpEntryInput, { url, transport, header, unsetHeader }: EntryFlags) {
  return {
    ...(url !== undefined && { url }),
    ...(transport && { type: transport }),
    ...((header || unsetHeader) && {
      headers: changePairs(entry.headers, headerPairs(header), unsetHeader, (name) => name.toLowerCase()),
    }),
  }
}

/** `fold`: names that are equal in this form are one. */
function changePairs(
  before: Readonly<Record<string, string>> = {},
  added: Readonly<Record<string, string>>,
  removed: readonly string[] = [],
  fold: (name: string) => string,
): Record<string, string> {
  const names = Object.keys(before)
  const unknown = removed.find((name) => !names.some((one) => fold(one) === fold(name)))
  if (unknown !== undefined)
    throw new CliError(
      `The entry has no ${exactLine(unknown)}; it has ${names.map(exactLine).join(', ') || 'none'}.`,
      exitCodes.usage,
    )
  const replaced = new Set([...removed, ...Object.keys(added)].map(fold))
  const kept = Object.entries(before).filter(([name]) => !replaced.has(fold(name)))
  return { ...Object.fromEntries(kept), ...added }
}
