/** What the log says at a session's start: where its MCP servers come from, and how they do. Names, files and lines only, no values. */

import type { ServerState } from '@dorkos/mcp-gateway'
import type { McpScope, Saying } from '@dorkos/shared'
import type { FoundServer, SourceFault } from './found-server.ts'

export interface DescribedServers {
  active: readonly { server: FoundServer; plan?: { kind: string } }[]
  overridden: readonly { server: FoundServer; by: FoundServer }[]
  filtered: readonly { server: FoundServer; sentence: Pick<Saying, 'message'> }[]
  faults?: readonly SourceFault[]
}

export interface HealthRow {
  name: string
  state: ServerState | 'disabled'
  /** To the first list of its tools, or to the failure. */
  ms?: number
  error?: string
  tools?: number
}

/** Sections with a heading each; those with nothing in them are left out. */
export function describeServers({ active, overridden, filtered, faults = [] }: DescribedServers): string[] {
  const from = (...scopes: McpScope[]) =>
    active
      .filter(({ server }) => scopes.includes(server.scope))
      .map(({ server, plan }) => `${described(server)}${plan?.kind === 'passthrough' ? leftToCli : ''}`)
  const lines = [
    ...section('Configured (DorkOS)', from('dorkos')),
    ...section('Global', from('local', 'user', 'settings')),
    ...section('Project', from('project')),
    ...section('Plugins', from('plugin')),
    ...section(
      'Overridden',
      overridden.map(({ server, by }) => `${described(server)} by ${described(by)}`),
    ),
    ...section(
      'Filtered out',
      filtered.map(({ server, sentence }) => `${described(server)}: ${oneLine(sentence.message)}`),
    ),
    ...section('Faults', faults.map(describedFault)),
  ]
  return lines.length === 0 ? ['No MCP servers.'] : lines
}

/** A line for each, and how many are connected of those that should be. */
export function describeHealth(rows: readonly HealthRow[]): string[] {
  if (rows.length === 0) return []
  const count = (state: HealthRow['state']) => rows.filter((row) => row.state === state).length
  const disabled = count('disabled')
  const sum = `${count('connected')} of ${rows.length - disabled} connected`
  return [...rows.map(describedHealth), disabled === 0 ? sum : `${sum}, ${disabled} disabled`]
}

const scopeWords: Record<McpScope, string> = {
  dorkos: 'DorkOS',
  local: 'local',
  project: 'project',
  user: 'user',
  settings: 'settings.json, which Claude Code itself does not read',
  plugin: 'plugin',
}

const leftToCli = ', left to Claude Code'

const stateWords: Record<HealthRow['state'], string> = {
  connected: '[OK]',
  failed: '[FAILED]',
  needs_auth: '[NEEDS AUTH]',
  pending: '[PENDING]',
  // Between two tries, or about to be started for the session.
  stopped: '[PENDING]',
  disabled: '[DISABLED]',
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${heading}:`, ...lines.map((line) => `  ${line}`)]
}

function described({ name, scope, file, line }: FoundServer): string {
  return `${shown(name)} (${scopeWords[scope]}: ${oneLine(file, MAX_FILE)}:${line})`
}

function describedFault({ name, file, line, reason }: SourceFault): string {
  const location = `${oneLine(file, MAX_FILE)}${line === undefined ? '' : `:${line}`}`
  return `${name === undefined ? location : `${shown(name)} (${location})`}: ${oneLine(reason)}`
}

function describedHealth({ name, state, ms, error, tools }: HealthRow): string {
  const facts: string[] = []
  if (error !== undefined && state !== 'connected') facts.push(oneLine(error))
  if (tools !== undefined && state === 'connected') facts.push(`${tools} ${tools === 1 ? 'tool' : 'tools'}`)
  if (ms !== undefined) facts.push(`${Math.round(ms)} ms`)
  const head = `${stateWords[state]} ${shown(name)}`
  return facts.length === 0 ? head : `${head}: ${facts.join(', ')}`
}

const MAX_NAME = 120
const MAX_FILE = 1_000
const MAX_TEXT = 500

/** A name that could be read as more of the line is put in quotes. */
function shown(name: string): string {
  const plain = oneLine(name, MAX_NAME)
  return /^[\p{L}\p{N}_.:@/-]+$/u.test(plain) ? plain : JSON.stringify(plain)
}

/** Line breaks become spaces; whatever else shows nothing, or changes how the rest is read, becomes a mark. */
function oneLine(text: string, maxLength = MAX_TEXT): string {
  const plain = text
    .slice(0, maxLength)
    .replace(/[\s\p{Zl}\p{Zp}\u0085]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '\uFFFD')
  return text.length > maxLength ? `${plain}…` : plain
}
