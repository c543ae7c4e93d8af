/** One MCP server: entry, source, health, tools, history, and the end of what it wrote to standard error. */
import type { McpServer, McpServerDetails } from '@dorkos/shared'
import { formatAge, formatDuration } from '../amounts.ts'
import { exactLine } from '../escape.ts'
import { barred } from '../render-approval.ts'
import { shownArgv } from '../shown-argv.ts'
import type { Style } from '../style.ts'
import { isLeftToCli, markOf, scopeWord, stateMarks } from './mcp-mark.ts'
import { count, locationOf } from './render-mcp-list.ts'
import { renderToolChange, renderToolTable } from './render-mcp-tool.ts'
import { signInHint } from './sign-in-hint.ts'

export interface RenderServerOptions {
  now: number
  width: number
  style: Style
}

export function renderMcpServer(details: McpServerDetails, options: RenderServerOptions): string[] {
  const { server, tools, resources, prompts, instructions, faults, stderr, history } = details
  const { now, width, style } = options
  const { text, color } = markOf(server)
  const changed = tools.filter(({ pin }) => pin.status !== 'pinned')
  const facts = factsOf(server, now).map(([name, value]) => `${style.dim(name.padEnd(11))} ${value}`)
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(heading), ...lines]
  return [
    `${style[color](text)} ${style.bold(exactLine(server.name))}`,
    ...facts,
    ...section(`Tools (${tools.length})`, tools.length === 0 ? [] : renderToolTable(tools, width, style)),
    ...section(
      `New or changed: dorkos mcp accept ${shownArgv([server.name])}`,
      changed.flatMap((tool) => renderToolChange(tool, style)),
    ),
    ...section(
      'Resources',
      resources.map(
        ({ uri, name }) => `  ${exactLine(uri)}${name === undefined ? '' : `  ${exactLine(name)}`}`,
      ),
    ),
    ...section(
      'Prompts',
      prompts.map(({ name, description = '' }) =>
        `  ${exactLine(name)}  ${exactLine(description)}`.trimEnd(),
      ),
    ),
    ...section('Instructions for agents', instructions === undefined ? [] : barred(instructions, style)),
    ...section(
      'Rejected items',
      faults.map((fault) => `  ${exactLine(fault)}`),
    ),
    ...section(
      'History',
      history.map(
        ({ state, time, reason }) =>
          `  ${time}  ${stateMarks[state].text}${reason === undefined ? '' : `  ${exactLine(reason)}`}`,
      ),
    ),
    ...section('Last lines of standard error', renderStderr(stderr, style)),
  ]
}

/** Each line behind a bar, so that none can pose as ours. */
export function renderStderr(lines: readonly string[], style: Style): string[] {
  return lines.map((line) => `  ${style.dim('|')} ${exactLine(line)}`)
}

type Fact = [name: string, value: string]

function factsOf(server: McpServer, now: number): Fact[] {
  const { source, use, message, overridden_by, entry, health, held_tools } = server
  const hint = signInHint(server)
  const plugin = source.plugin === undefined ? '' : ` ${exactLine(source.plugin)}`
  const facts: (Fact | undefined)[] = [
    ['from', `${scopeWord(source.scope)}${plugin}, ${locationOf(source)}`],
    use === 'active' ? undefined : ['not used', exactLine(message ?? use)],
    overridden_by && ['instead', `${scopeWord(overridden_by.scope)}, ${locationOf(overridden_by)}`],
    ...entryFacts(entry),
    server.signed_in && ['signed in', signedInWords(server.signed_in, now)],
    isLeftToCli(server) ? ['run by', 'Claude Code itself, for each session'] : undefined,
    server.sharing && ['sharing', sharingWords(server.sharing)],
    ...(health ? healthFacts(health, now) : []),
    hint === undefined ? undefined : ['to do', hint],
    held_tools > 0 ? ['held', `${count(held_tools, 'tool')}, until you review the changes`] : undefined,
  ]
  return facts.filter((fact) => fact !== undefined)
}

/** What was chosen, what comes of it, and why. */
export function sharingWords({ choice, mode, why }: NonNullable<McpServer['sharing']>): string {
  return `${choice}: ${sharingModes[mode]} (${sharingReasons[why]})`
}

const sharingModes = { shared: 'one process for all sessions', session: 'one process per session' }
const sharingReasons = {
  chosen: 'as chosen',
  stateless: 'known to be stateless',
  remote: 'runs over HTTP',
  asked: 'it asks for input',
  unknown: 'it may keep state between calls',
}

function signedInWords(
  { host, by, at, scopes = [] }: NonNullable<McpServer['signed_in']>,
  now: number,
): string {
  const what = scopes.length === 0 ? '' : `, for ${exactLine(scopes.join(' '))}`
  return `at ${exactLine(host)} by ${exactLine(by)}, ${at} (${formatAge(at, now)})${what}`
}

function entryFacts(entry: McpServer['entry']): (Fact | undefined)[] {
  const { type, command, args = [], url, env = {}, headers = {}, cwd, timeout, modes } = entry
  return [
    command === undefined ? undefined : ['runs', shownArgv([command, ...args])],
    url === undefined ? undefined : ['address', `${exactLine(url)} (${type})`],
    ...pairFacts('env', env, '='),
    ...pairFacts('header', headers, ': '),
    cwd === undefined ? undefined : ['folder', exactLine(cwd)],
    timeout === undefined ? undefined : ['a call', `${formatDuration(timeout)} at most`],
    modes === undefined ? undefined : ['modes', exactLine(modes.join(', '))],
  ]
}

function pairFacts(name: string, pairs: Readonly<Record<string, string>>, between: string): Fact[] {
  return Object.entries(pairs).map(([key, value]) => [name, `${exactLine(key)}${between}${exactLine(value)}`])
}

function healthFacts(health: NonNullable<McpServer['health']>, now: number): (Fact | undefined)[] {
  const { error, since, connect_ms, failures, next_try_at, pids, sessions, server, protocol_version } = health
  const title = server && exactLine(`${server.title ?? server.name} ${server.version}`)
  return [
    ['since', `${since} (${formatAge(since, now)})`],
    error === undefined ? undefined : ['error', exactLine(error)],
    failures === 0 ? undefined : ['failures', `${failures} in a row`],
    next_try_at === undefined ? undefined : ['retry', next_try_at],
    connect_ms === undefined ? undefined : ['connected', `in ${formatDuration(connect_ms)}`],
    title === undefined ? undefined : ['server', title],
    protocol_version === undefined ? undefined : ['protocol', exactLine(protocol_version)],
    pids.length === 0 ? undefined : ['processes', pids.join(', ')],
    health.own_connections === 0 ? undefined : ['of these', `${health.own_connections} per session`],
    ['sessions', String(sessions)],
    ['context', `about ${health.context_tokens} tokens in every request to the model`],
    health.asks_for_input ? ['asks', 'for input, so every session has its own process'] : undefined,
  ]
}
