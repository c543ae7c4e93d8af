/** Checks all that a server needs here, without starting one and without changing anything. */

import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isLiving } from '@dorkos/processes'
import { type Config, configSchema, createApiClient } from '@dorkos/shared'
import { findClaudeCode, minimumCliVersion } from 'claude-code-agent'
import { checkSqliteFile } from './adapters/sqlite/open-sqlite-store.ts'
import { isRoot } from './adapters/system/agent-user.ts'
import { findSandbox } from './adapters/system/find-sandbox.ts'
import { tryListen, whoListens } from './adapters/system/who-listens.ts'
import { isLoopback } from './config/check-exposure.ts'
import { ConfigError } from './config/config-error.ts'
import { loadConfig } from './config/load-config.ts'
import { findModelSource } from './credentials/find-model-source.ts'
import { diagnoseContainers } from './diagnose-containers.ts'

export interface Diagnosis {
  /** What was checked, in a word or two. */
  check: string
  state: 'ok' | 'warning' | 'fault'
  /** What was found, for people; a list has one line each. Never a secret. */
  detail: string
  /** What to do about it. */
  fix?: string
}

type Environment = Readonly<Record<string, string | undefined>>

export interface DiagnoseOptions {
  /** As for the server: relative paths start here. */
  cwd?: string
}

/** In the order in which a start would meet them. Never rejects. */
export async function diagnose(env: Environment, { cwd }: DiagnoseOptions = {}): Promise<Diagnosis[]> {
  const home = env.DORKOS_HOME ? resolve(env.DORKOS_HOME) : join(env.HOME || homedir(), '.dorkos')
  const { config, found } = checkConfig(env, home, cwd)
  const running = await readRunning(home)
  return [
    checkNode(),
    checkUser(),
    ...(await Promise.all([
      guarded('state folder', () => checkFolder(home)),
      found,
      guarded('claude cli', () => checkCli(config)),
      guarded('credentials', async () => checkCredentials(config, env)),
      guarded('sandbox', () => checkSandbox(config, env)),
      guarded('containers', () => diagnoseContainers(config, env)),
      guarded('database', () => checkDatabase(join(home, 'dorkos.db'))),
      guarded('port', () => checkPort(config, running)),
      guarded('server', () => checkServer(running, home)),
    ])),
  ]
}

async function guarded(check: string, run: () => Promise<Diagnosis>): Promise<Diagnosis> {
  return run().catch((error: unknown) => ({
    check,
    state: 'fault' as const,
    detail: error instanceof Error ? error.message : String(error),
  }))
}

const oldestNode = [20, 11] as const

function checkNode(): Diagnosis {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  const detail = `${process.versions.node} (${process.execPath})`
  if (!isOld) return { check: 'node', state: 'ok', detail }
  return { check: 'node', state: 'fault', detail, fix: `Install Node ${oldestNode.join('.')} or newer.` }
}

function checkUser(): Diagnosis {
  const check = 'user'
  if (!isRoot()) return { check, state: 'ok', detail: 'not root' }
  return {
    check,
    state: 'warning',
    detail:
      'root: agents’ file tools, hooks and MCP servers may do everything on this machine, and commands in the sandbox read all that is root’s',
    fix: 'Make a user for DorkOS and run it as that one (docs/operations.md has a unit for systemd).',
  }
}

/** With a faulty configuration the other checks go on with the standard one. */
function checkConfig(
  env: Environment,
  home: string,
  cwd: string | undefined,
): { config: Config; found: Diagnosis } {
  const check = 'configuration'
  try {
    const { config, file, text } = loadConfig({ home, env, ...(cwd !== undefined && { cwd }) })
    const detail = text === undefined ? 'no file yet; the standard values hold' : file
    return { config, found: { check, state: 'ok', detail } }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const fix =
      error instanceof ConfigError ? 'Correct them; the server refuses to start with them.' : undefined
    return { config: configSchema.parse({}), found: { check, state: 'fault', detail, ...(fix && { fix }) } }
  }
}

async function checkFolder(home: string): Promise<Diagnosis> {
  const check = 'state folder'
  const found = await stat(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!found) return checkMissingFolder(check, home)
  const fault = (detail: string, fix: string): Diagnosis => ({ check, state: 'fault', detail, fix })
  if (!found.isDirectory()) return fault(`${home} is not a folder`, 'Remove it, or set DORKOS_HOME.')
  if (process.getuid && found.uid !== process.getuid()) {
    return fault(`${home} belongs to another user`, 'Set DORKOS_HOME to a folder of your own.')
  }
  const isUsable = await access(home, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isUsable)
    return fault(`${home} cannot be written`, `Run chmod 700 on it, or see whether the disk is read-only.`)
  if ((found.mode & 0o077) !== 0) {
    const detail = `${home} is open to other users (${(found.mode & 0o777).toString(8)})`
    return {
      check,
      state: 'warning',
      detail,
      fix: `Run chmod 700 ${home}; the server does so at its next start.`,
    }
  }
  const open = await openSecrets(home)
  if (open.length > 0) {
    const files = open.map((name) => join(home, name)).join(' ')
    return fault(`files in ${home} are readable by others: ${open.join(', ')}`, `Run chmod 600 ${files}`)
  }
  return { check, state: 'ok', detail: `${home}, closed to other users` }
}

async function checkMissingFolder(check: string, home: string): Promise<Diagnosis> {
  let above = dirname(home)
  while (above !== dirname(above) && !(await exists(above))) above = dirname(above)
  const isWritable = await access(above, constants.W_OK).then(
    () => true,
    () => false,
  )
  return isWritable
    ? { check, state: 'ok', detail: `${home} is made at the first start` }
    : {
        check,
        state: 'fault',
        detail: `${home} cannot be made: ${above} cannot be written`,
        fix: 'Set DORKOS_HOME.',
      }
}

/** Files that hold a secret, and that somebody else could read if the folder were open. */
async function openSecrets(home: string): Promise<string[]> {
  const names = ['cli-token', 'dorkos.db', 'environment']
  const modes = await Promise.all(names.map((name) => stat(join(home, name)).catch(() => undefined)))
  return names.filter((_name, index) => ((modes[index]?.mode ?? 0) & 0o077) !== 0)
}

async function checkCli({ cliPath }: Config): Promise<Diagnosis> {
  const check = 'claude cli'
  try {
    const { path, version } = await findClaudeCode(cliPath === undefined ? { env: {} } : { cliPath })
    if (version === undefined) {
      const fix = `It must be ${minimumCliVersion} or newer.`
      return { check, state: 'warning', detail: `${path}; its version cannot be found out`, fix }
    }
    return {
      check,
      state: 'ok',
      detail: `${version}, ${minimumCliVersion} is the oldest that works (${path})`,
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const fix =
      cliPath === undefined ? 'Install DorkOS again.' : 'Correct or remove `cliPath` in the configuration.'
    return { check, state: 'fault', detail, fix }
  }
}

const sourceNames = {
  api_key: 'an API key (ANTHROPIC_API_KEY)',
  auth_token: 'a token (ANTHROPIC_AUTH_TOKEN)',
  api_key_helper: 'apiKeyHelper of your Claude Code settings',
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex',
  foundry: 'Microsoft Foundry',
  cli_login: 'your login of the Claude Code CLI',
} as const

function checkCredentials(config: Config, env: Environment): Diagnosis {
  const check = 'credentials'
  const source = findModelSource({ config, env })
  if (source.kind !== 'demo') {
    const way = source.kind === 'gateway' ? '; agents never see it' : '; the CLI uses it by itself'
    return { check, state: 'ok', detail: `${sourceNames[source.source]}${way}` }
  }
  if (config.model === 'demo')
    return { check, state: 'ok', detail: 'the demo model is configured; it needs none' }
  return {
    check,
    state: 'warning',
    detail: 'none found: the demo model answers, not Claude',
    fix: 'Set ANTHROPIC_API_KEY, or log in with the Claude Code CLI.',
  }
}

async function checkSandbox({ sandbox }: Config, env: Environment): Promise<Diagnosis> {
  const check = 'sandbox'
  const { available, reason } = await findSandbox(env)
  if (available && sandbox !== 'off') {
    return { check, state: 'ok', detail: 'commands of agents run in a sandbox (tried just now)' }
  }
  const detail =
    sandbox === 'off'
      ? 'switched off in the configuration'
      : `commands of agents run without one: ${reason?.message ?? ''}`
  const fix = available ? 'Set `sandbox` to `auto`.' : 'Mend that, or read each command before you allow it.'
  return { check, state: sandbox === 'required' ? 'fault' : 'warning', detail, fix }
}

/** A connection of its own that only reads: safe beside a server that writes. */
async function checkDatabase(path: string): Promise<Diagnosis> {
  const check = 'database'
  const file = await stat(path).catch(() => undefined)
  if (!file) return { check, state: 'ok', detail: 'none yet; it is made at the first start' }
  const fix = 'Stop the server and put a backup back, or move the file away to begin anew.'
  const faults = await checkSqliteFile(path).catch((error: unknown) => [
    error instanceof Error ? error.message : String(error),
  ])
  if (faults.length > 0) {
    return { check, state: 'fault', detail: [`${path} is damaged:`, ...faults.slice(0, 5)].join('\n'), fix }
  }
  return { check, state: 'ok', detail: `${path}, ${Math.ceil(file.size / 1024)} KiB, intact` }
}

interface Running {
  url: string
  pid: number
  version: string
}

async function readRunning(home: string): Promise<Running | undefined> {
  try {
    const value = JSON.parse(await readFile(join(home, 'server.json'), 'utf8')) as Partial<Running> | null
    const { url, pid, version } = value ?? {}
    if (typeof url !== 'string' || !/^https?:/.test(url) || typeof pid !== 'number' || !isLiving(pid))
      return undefined
    return { url, pid, version: String(version) }
  } catch {
    return undefined
  }
}

async function checkPort({ host, port }: Config, running: Running | undefined): Promise<Diagnosis> {
  const check = 'port'
  if (port === 0) return { check, state: 'ok', detail: 'any free one' }
  if (running && new URL(running.url).port === String(port)) {
    return { check, state: 'ok', detail: `${port}, in use by your server (process ${running.pid})` }
  }
  const error = await tryListen(host, port)
  if (!error) return { check, state: 'ok', detail: `${port} on ${host} is free` }
  if (error.code !== 'EADDRINUSE') {
    return {
      check,
      state: 'fault',
      detail: `${host}:${port} cannot be listened on (${error.code})`,
      fix: 'Choose another with --port.',
    }
  }
  const who = await whoListens(port)
  return {
    check,
    state: 'fault',
    detail: `${port} is taken by ${who}`,
    fix: 'End it, or choose another with --port.',
  }
}

async function checkServer(running: Running | undefined, home: string): Promise<Diagnosis> {
  const check = 'server'
  if (!running) return { check, state: 'ok', detail: `none runs for ${home}` }
  const { url, pid, version } = running
  const where = `${url}, version ${version}, process ${pid}`
  const token = (await readFile(join(home, 'cli-token'), 'utf8').catch(() => '')).trim()
  const client = createApiClient({ baseUrl: url, token })
  try {
    const { status } = await client.getHealth({ signal: AbortSignal.timeout(5000) })
    const { host, banners } = await client.getStatus({ signal: AbortSignal.timeout(5000) })
    const { workspaces } = await client.listWorkspaces({ signal: AbortSignal.timeout(5000) })
    const notes = [
      ...banners.filter(({ level }) => level !== 'info').map(({ message }) => message),
      ...workspaces.flatMap(({ warning }) => warning ?? []),
    ]
    const exposed = isLoopback(host) ? [] : [`It listens on ${host}: other machines can reach it.`]
    const detail = [`${where}, ${status}`, ...exposed, ...notes].join('\n')
    return { check, state: status === 'ok' && exposed.length + notes.length === 0 ? 'ok' : 'warning', detail }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return {
      check,
      state: 'fault',
      detail: `${where}, does not answer: ${words}`,
      fix: `See its log in ${home}/logs.`,
    }
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
