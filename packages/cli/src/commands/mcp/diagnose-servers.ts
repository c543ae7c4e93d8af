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
        fix: `Fix it in ${locationOf({ file, line })}. No restart needed.`,
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
  const why = trust === 'changed' ? 'it changed since it was trusted' : 'it isn’t trusted'
  return [
    {
      check: `workspace ${exactLine(name)}`,
      state: 'warning',
      detail: `Its own servers aren’t used because ${why}: ${names}`,
      fix: `Review what would run, and trust it: dorkos mcp trust --workspace ${shownArgv([name])}`,
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
      ? 'Set them where you start the server, and restart it.'
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
      detail: `${exactLine(health.error ?? 'it doesn’t respond')}${said}`,
      fix: fixOf(server, health, known),
    })
  }
  if (held_tools > 0)
    found.push({
      check,
      state: 'warning',
      detail: `${count(held_tools, 'tool')} new or changed, not offered to agents`,
      fix: `Review the changes: dorkos mcp accept ${shownArgv([name])}`,
    })
  if (faults.length > 0)
    found.push({
      check,
      state: 'warning',
      detail: ['Rejected items:', ...faults.map(exactLine)].join('\n'),
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
  if (hint !== undefined) return `It needs authentication: ${hint}.`
  if (health.state === 'needs_auth') {
    const headers = Object.keys(entry.headers ?? {}).map(exactLine)
    return headers.length === 0
      ? `It needs credentials: add a header in ${location}, such as "headers": {"Authorization": "Bearer …"}.`
      : `It rejects its credentials: put a valid token into ${headers.join(', ')} in ${location}.`
  }
  if (error.startsWith('command not found')) return missingCommand(entry.command ?? '', location, known)
  if (error.startsWith('command can’t be run'))
    return `The file isn’t executable for you: chmod +x it, or change the command in ${location}.`
  if (error.startsWith('working directory not found'))
    return `Create that folder, or change cwd in ${location}.`
  if (error.includes('its type must be "sse"')) return `Try "type": "sse" in ${location}.`
  if (entry.url !== undefined)
    return `Check that the URL in ${location} is right and reachable from this machine. Then: ${reconnect}`
  return `dorkos mcp show ${shownArgv([name])} shows its full output. Fix it in ${location}, then: ${reconnect}`
}

function missingCommand(command: string, location: string, { findProgram }: DoctorKnowledge): string {
  const shown = shownArgv([command])
  const here = findProgram(command)
  if (here === undefined) return `Install ${shown}, or use the program’s full path in ${location}.`
  return `${shown} is ${exactLine(here)} in this terminal, but isn’t on the server’s PATH. Use that path in ${location}, or start the server from here.`
}
