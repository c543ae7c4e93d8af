/** Puts values in the place of `${VAR}` and `${VAR:-default}`, from a list of variables that may be used. */

import { mcpUrlFault } from '@dorkos/shared'
import type { McpEntry } from './found-server.ts'
import { mapEntryTexts } from './map-entry-texts.ts'

export interface ExpandInput {
  entry: McpEntry
  /** Names of variables that may be used (`mcp.expandEnv`). */
  allowed: ReadonlySet<string>
  /** The server's own environment. Asked for allowed names only. */
  lookUp(name: string): string | undefined
  /** Known whatever is allowed: `CLAUDE_PLUGIN_ROOT` and `CLAUDE_PLUGIN_DATA` of a plugin. */
  known?: Readonly<Record<string, string>>
}

export type ExpandResult =
  | { entry: McpEntry }
  /** `missing` has each variable without a value once; it can be empty where a value does not fit. */
  | { entry?: undefined; missing: string[]; sentence: string }

/**
 * `${NAME}`, `${NAME:-default}`, or what only looks like one of them to other programs (`${cmd:ls}`, `${input:key}`). What is none of
 * these is text, as it is to the CLI (`$NAME`, `${}`, `${NAME-x}`; seen with 2.1.325).
 */
const reference = /\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?|([A-Za-z_]\w*[:.][^}]*))\}/g

/** A value is put in and never scanned again: one that holds `${…}` stays as it is. */
export function expandVariables(input: ExpandInput): ExpandResult {
  const missing = new Set<string>()
  const refused = new Set<string>()
  const expand = (text: string) =>
    text.replace(reference, (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined || fallback?.includes('${')) {
        refused.add(whole)
        return whole
      }
      const value = lookUpAllowed(input, name) ?? fallback
      if (value === undefined) missing.add(name)
      return value ?? ''
    })
  const entry = mapEntryTexts(input.entry, expand)
  if (missing.size > 0 || refused.size > 0) {
    return { missing: [...missing], sentence: explain(input, [...missing], [...refused]) }
  }
  const fault = entry.type === 'stdio' ? stdioFault(entry) : remoteFault(entry)
  return fault ? { missing: [], sentence: `${fault}.` } : { entry }
}

function lookUpAllowed(input: ExpandInput, name: string): string | undefined {
  if (input.known && Object.hasOwn(input.known, name)) return input.known[name]
  return input.allowed.has(name) ? input.lookUp(name) : undefined
}

function stdioFault(entry: Extract<McpEntry, { type: 'stdio' }>): string | undefined {
  if (entry.command.trim() === '') return 'With its variables put in, command is empty'
  const texts = [entry.command, ...entry.args, entry.cwd ?? '', ...Object.values(entry.env)]
  return texts.some((text) => text.includes('\0'))
    ? 'The value of a variable holds a null character'
    : undefined
}

function remoteFault(entry: Exclude<McpEntry, { type: 'stdio' }>): string | undefined {
  const fault = mcpUrlFault(entry.url)
  if (fault) return `With its variables put in, url ${fault}`
  const broken = Object.entries(entry.headers).find(([, value]) => /[\r\n\0]/.test(value))
  return broken && `With its variables put in, headers.${broken[0]} holds a line break`
}

function explain(input: ExpandInput, missing: string[], refused: string[]): string {
  const pluginOnly = missing.filter((name) => /^CLAUDE_PLUGIN_(ROOT|DATA)$/.test(name))
  const others = missing.filter((name) => !pluginOnly.includes(name))
  const unset = others.filter((name) => input.allowed.has(name))
  const barred = others.filter((name) => !input.allowed.has(name))
  const parts = [
    unset.length > 0 && `${list(unset)} ${are(unset)} not set in the environment of the DorkOS server`,
    barred.length > 0 &&
      `${list(barred)} may not be used: add ${barred.length > 1 ? 'them' : 'it'} to mcp.expandEnv in the configuration`,
    pluginOnly.length > 0 && `${list(pluginOnly)} ${are(pluginOnly)} known in plugins only`,
    refused.length > 0 &&
      `${list(refused.map(cut))} cannot be used: only \${NAME} and \${NAME:-text} are understood`,
  ]
  return `${parts.filter((part) => part !== false).join('; ')}.`
}

const are = (names: string[]) => (names.length > 1 ? 'are' : 'is')
const list = (names: string[]) => names.slice(0, 10).join(', ') + (names.length > 10 ? ' and more' : '')
/** What was written, without a default: that can be a secret. */
const cut = (text: string) => `${text.slice(0, 40).replace(/:-.*$/s, ':-…}')}`
