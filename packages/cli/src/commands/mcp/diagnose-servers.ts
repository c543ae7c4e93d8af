/** What is wrong with MCP servers, and what to do about it. Pure, but for the programs that it asks for. */
import type { Diagnosis } from '@dorkos/server'
import type { McpList, McpServer, McpServerDetails, Workspace } from '@dorkos/shared'
import { exactLine } from '../../terminal/escape.ts'
import { count, locationOf } from '../../terminal/mcp/render-mcp-list.ts'
import { signInHint } from '../../terminal/mcp/sign-in-hint.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'

export type McpDiagnosis = Diagnosis

export interface DoctorKnowledge {
  /** The configuration of DorkOS. */
  configFile: string
  /** Where this terminal finds a command. */
  findProgram(command: string): string | undefined
}

type Health = NonNullable<McpServer['health']>

/** Trust, variables, and the files themselves. What was switched off, denied or is for other workspaces is as somebody wanted it. */
export function diagnoseList(
  workspace: Pick<Workspace, 'name' | 'trust'>,
  { servers, faults }: McpList,
  known: DoctorKnowledge,
): McpDiagnosis[] {
  return [
    ...faults.map(
      ({ file, line, name, message }): McpDiagnosis => ({
        check: name === undefined ? 'a file' : exactLine(name),
        state: 'fault',
        detail: `${locationOf({ file, line })}: ${exactLine(message)}`,
        fix: `Mend it in ${locationOf({ file, line })}; nothing has to be restarted.`,
      }),
    ),
    ...diagnoseTrust(workspace, servers),
    ...servers
      .filter(({ reason }) => reason === 'variables' || reason === 'reserved')
      .map((server) => diagnoseUnusable(server, known)),
  ]
}

function diagnoseTrust(
  { name, trust }: Pick<Workspace, 'name' | 'trust'>,
  servers: readonly McpServer[],
): McpDiagnosis[] {
  const held = servers.filter(({ reason }) => reason === 'trust')
  if (held.length === 0) return []
  const names = held.map((server) => exactLine(server.name)).join(', ')
  const why = trust === 'changed' ? 'something in it changed since it was trusted' : 'it is not trusted'
  return [
    {
      check: `workspace ${exactLine(name)}`,
      state: 'warning',
      detail: `Its own servers are not used, because ${why}: ${names}`,
      fix: `Look at what would run, and trust it: dorkos mcp trust --workspace ${shownArgv([name])}`,
    },
  ]
}

function diagnoseUnusable(server: McpServer, { configFile }: DoctorKnowledge): McpDiagnosis {
  const { name, message = '', reason, source } = server
  const asks = message.includes('mcp.expandEnv')
  const isUnset = message.includes('not set in the environment')
  const fix = asks
    ? `Add the names to mcp.expandEnv in ${exactLine(configFile)}.`
    : isUnset
      ? 'Set them where the server is started, and restart it.'
      : `${reason === 'reserved' ? 'Rename it' : 'Change it'} in ${locationOf(source)}.`
  return { check: exactLine(name), state: 'fault', detail: exactLine(message), fix }
}

export function diagnoseServer(
  { server, faults, stderr }: Pick<McpServerDetails, 'server' | 'faults' | 'stderr'>,
  known: DoctorKnowledge,
): McpDiagnosis[] {
  const { name, health, held_tools } = server
  const check = exactLine(name)
  const found: McpDiagnosis[] = []
  if (health && isTroubled(health)) {
    const line = causeLine(stderr)
    const words = line === stderr.at(-1) ? 'ends with' : 'says'
    const said = line === undefined ? '' : `\nits standard error ${words}: ${exactLine(line)}`
    found.push({
      check,
      state: health.state === 'pending' ? 'warning' : 'fault',
      detail: `${exactLine(health.error ?? 'it does not answer')}${said}`,
      fix: fixOf(server, health, known),
    })
  }
  if (held_tools > 0)
    found.push({
      check,
      state: 'warning',
      detail: `${count(held_tools, 'tool')} new or changed, not offered to agents`,
      fix: `Look at the difference: dorkos mcp accept ${shownArgv([name])}`,
    })
  if (faults.length > 0)
    found.push({
      check,
      state: 'warning',
      detail: ['Left out of what it offers:', ...faults.map(exactLine)].join('\n'),
    })
  return found
}

/** What most likely names the cause. Programs end with stack traces, version numbers and where their log is. */
function causeLine(stderr: readonly string[]): string | undefined {
  const lines = stderr.filter((line) => !/complete log of this run/i.test(line))
  return (
    lines.find((line) => /\b404\b|not found|cannot find/i.test(line)) ??
    lines.findLast((line) => /error/i.test(line) && !/^\s*at /.test(line)) ??
    stderr.at(-1)
  )
}

function isTroubled({ state, error }: Health): boolean {
  return state === 'failed' || state === 'needs_auth' || (state === 'pending' && error !== undefined)
}

function fixOf(server: McpServer, health: Health, known: DoctorKnowledge): string {
  const { name, entry, source } = server
  const location = locationOf(source)
  const reconnect = `dorkos mcp reconnect ${shownArgv([name])}`
  const { error = '' } = health
  const hint = signInHint(server)
  if (hint !== undefined) return `It wants to know who asks: ${hint}.`
  if (health.state === 'needs_auth') {
    const headers = Object.keys(entry.headers ?? {}).map(exactLine)
    return headers.length === 0
      ? `It wants credentials: give it a header in ${location}, such as "headers": {"Authorization": "Bearer …"}.`
      : `It refuses what it gets: put a token that works into ${headers.join(', ')} in ${location}.`
  }
  if (error.startsWith('command not found')) return missingCommand(entry.command ?? '', location, known)
  if (error.startsWith('command cannot be run'))
    return `The file is not a program, or not yours to run: chmod +x, or change the command in ${location}.`
  if (error.startsWith('working directory not found'))
    return `Make that folder, or change cwd in ${location}.`
  if (error.includes('its type must be "sse"')) return `Try "type": "sse" in ${location}.`
  if (entry.url !== undefined)
    return `Is the address right, and does it answer from this machine? ${location}. Then: ${reconnect}`
  return `dorkos mcp show ${shownArgv([name])} has all that it wrote. Mend it in ${location}, then: ${reconnect}`
}

function missingCommand(command: string, location: string, { findProgram }: DoctorKnowledge): string {
  const shown = shownArgv([command])
  const here = findProgram(command)
  if (here === undefined) return `Install ${shown}, or write the whole path of the program in ${location}.`
  return `${shown} is ${exactLine(here)} for this terminal, but not on the PATH of the server: write that path in ${location}, or start the server from here.`
}
