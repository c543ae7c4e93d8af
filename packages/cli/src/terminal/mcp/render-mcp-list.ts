/** The MCP servers of a workspace or session: how they do, which are not used and why, and what is wrong in their files. */
import type { McpList, McpServer } from '@dorkos/shared'
import { formatDuration } from '../amounts.ts'
import { exactLine } from '../escape.ts'
import { shownArgv } from '../shown-argv.ts'
import type { Style } from '../style.ts'
import { type Column, renderTable } from '../table.ts'
import { isConnected, isDisabled, isLeftToCli, markOf, scopeWord } from './mcp-mark.ts'
import { signInHint } from './sign-in-hint.ts'

export function renderMcpList({ servers, faults }: McpList, now: number, style: Style): string[] {
  const isShown = (server: McpServer) => server.use === 'active' || isDisabled(server)
  const shown = servers.filter(isShown)
  const others = servers.filter((server) => !isShown(server))
  const overridden = others.filter(({ use }) => use === 'overridden')
  const filtered = others.filter(({ use }) => use === 'filtered')
  if (servers.length === 0 && faults.length === 0)
    return ['No MCP servers. Add one: dorkos mcp add <name> -- <command>']
  return [
    ...renderServers(shown, now, style),
    ...(shown.length === 0 ? ['No MCP servers are used.'] : [sumOf(shown)]),
    ...section('Overridden', renderUnused(overridden, style), style),
    ...section('Filtered out', renderUnused(filtered, style), style),
    ...section('Configuration errors', faults.map(faultLine), style),
  ]
}

/** `file:line`, whole: it is there to be opened. */
export function locationOf({ file, line }: { file: string; line?: number | undefined }): string {
  return `${exactLine(file)}${line === undefined ? '' : `:${line}`}`
}

function renderServers(servers: readonly McpServer[], now: number, style: Style): string[] {
  const used = columns.filter(({ value }) => servers.some((server) => value(server) !== ''))
  const [, ...lines] = renderTable(servers, used, Number.POSITIVE_INFINITY, style)
  return servers.flatMap((server, index) => {
    const { text, color } = markOf(server)
    const line = lines[index] ?? text
    return [
      `${style[color](text)}${line.slice(text.length)}`,
      ...remarks(server, now).map((remark) => `    ${remark}`),
    ]
  })
}

const columns: Column<McpServer>[] = [
  { title: '', value: (server) => markOf(server).text },
  { title: '', value: ({ name }) => exactLine(name) },
  { title: '', value: ({ source }) => scopeWord(source.scope) },
  { title: '', value: (server) => (isConnected(server) ? count(server.health?.tools ?? 0, 'tool') : '') },
  { title: '', value: connectTime },
  { title: '', value: ({ signed_in }) => (signed_in ? 'signed in' : '') },
  { title: '', value: ({ source }) => locationOf(source) },
]

function connectTime(server: McpServer): string {
  const ms = server.health?.connect_ms
  return isConnected(server) && ms !== undefined ? formatDuration(ms) : ''
}

function remarks(server: McpServer, now: number): string[] {
  const { health, held_tools, name } = server
  const notes: string[] = []
  if (isDisabled(server) && server.message !== undefined) notes.push(exactLine(server.message))
  if (health?.error !== undefined && health.state !== 'connected')
    notes.push(`${exactLine(health.error)}${nextTry(health, now)}`)
  const hint = isDisabled(server) ? undefined : signInHint(server)
  if (hint !== undefined) notes.push(hint)
  if (held_tools > 0)
    notes.push(
      `${count(held_tools, 'tool')} new or changed, unavailable until you review: dorkos mcp accept ${shownArgv([name])}`,
    )
  return notes
}

function nextTry({ failures, next_try_at }: NonNullable<McpServer['health']>, now: number): string {
  const tries = failures > 1 ? `; ${failures} attempts` : ''
  const waitMs = next_try_at === undefined ? Number.NaN : Date.parse(next_try_at) - now
  return waitMs > 0 ? `${tries}; retrying in ${formatDuration(waitMs)}` : tries
}

function sumOf(servers: readonly McpServer[]): string {
  const disabled = servers.filter(isDisabled).length
  const left = servers.filter(isLeftToCli).length
  const connected = servers.filter(isConnected).length
  return [
    `${connected} of ${servers.length - disabled - left} connected`,
    ...(disabled > 0 ? [`${disabled} disabled`] : []),
    ...(left > 0 ? [`${left} run by Claude Code`] : []),
  ].join(', ')
}

function renderUnused(servers: readonly McpServer[], style: Style): string[] {
  const [, ...lines] = renderTable(
    servers,
    [
      { title: '', value: ({ name }) => exactLine(name) },
      { title: '', value: ({ source }) => scopeWord(source.scope) },
      { title: '', value: ({ source }) => locationOf(source) },
    ],
    Number.POSITIVE_INFINITY,
    style,
  )
  return servers.flatMap(({ message, reason }, index) => {
    const why = message ?? reason
    return [lines[index] ?? '', ...(why === undefined ? [] : [`  ${exactLine(why)}`])]
  })
}

function faultLine({ name, message, ...location }: McpList['faults'][number]): string {
  return `${locationOf(location)}  ${name === undefined ? '' : `${exactLine(name)}: `}${exactLine(message)}`
}

function section(heading: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(`${heading}:`), ...lines.map((line) => `  ${line}`)]
}

export function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`
}
