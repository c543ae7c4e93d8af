/** Starts a server and stops it: the way from a folder and an environment to something that listens. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pageFolder } from '@dorkos/client'
import { type Banner, codeSocketName, type Saying, say, scopes } from '@dorkos/shared'
import { findClaudeCode } from 'claude-code-agent'
import { containerConfigDirs } from './adapters/container/containers.ts'
import { findContainerTools } from './adapters/container/find-container-tools.ts'
import { createMemoryEventBus } from './adapters/memory/memory-event-bus.ts'
import { createMemoryOwnerSignals } from './adapters/memory/memory-owner-signals.ts'
import { openPageFiles } from './adapters/page-files/open-page-files.ts'
import { lockHome } from './adapters/sqlite/lock-home.ts'
import { openSqliteStore } from './adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from './adapters/system/clock.ts'
import { findSandbox } from './adapters/system/find-sandbox.ts'
import { type Log, openLog } from './adapters/system/log.ts'
import { openTranscriptReader } from './adapters/transcripts/transcript-reader.ts'
import { type Composed, compose } from './compose/compose.ts'
import type { ComposeInput, SharedStores } from './compose/compose-input.ts'
import { cliConfigDir } from './compose/launch.ts'
import { createConfigService, type LiveConfig } from './config/config-service.ts'
import { takeGivenCode } from './config/given-code.ts'
import { prepareHome, prepareSharedFolder } from './config/prepare-home.ts'
import { writePrivateFile } from './config/write-private-file.ts'
import { serverActor } from './core/actor.ts'
import { AppError } from './core/app-error.ts'
import { ownTerminals } from './core/auth.ts'
import type { Clock } from './core/ports/clock.ts'
import { banners } from './core/status.ts'
import { findModelSource } from './credentials/find-model-source.ts'
import { createApp } from './http/app.ts'
import { openCodeSocket } from './http/code-socket.ts'
import { type Listening, listen } from './http/listen.ts'
import { ownHosts } from './http/own-names.ts'
import { version as packageVersion } from './version.ts'

export interface StartServerOptions {
  env: Readonly<Record<string, string | undefined>>
  /** By the flag's name: `{ '--port': '4242' }`. */
  flags?: Readonly<Record<string, string | boolean | undefined>>
  /** Relative paths start here, and so does the main workspace. Default: the process's directory. */
  cwd?: string
  /** Default: the machine's. */
  clock?: Clock
  /** The built web page. Default: the one of `@dorkos/client`. */
  pageFolder?: string
  /** JSON lines of the log also go here. */
  logTo?: NodeJS.WritableStream
  /** Check every answer against the contract: for tests. */
  validateResponses?: boolean
  /** What this server shares with others. Default: its own database and state folder, and nobody. */
  shared?: Partial<SharedStores> & {
    /**
     * Holds the configuration file, the owner's own tools and the key of what was trusted, in place of the state
     * folder. As closed to agents, and to other users.
     */
    folder?: string
  }
  /** How long a server that does not answer keeps its sessions. */
  leaseMs?: number
}

export interface RunningServer {
  readonly url: string
  readonly port: number
  /** The state folder. */
  readonly home: string
  readonly logFile: string
  banners(): Banner[]
  /** Signs one browser in, within ten minutes. The code is in the fragment, which browsers send to nobody. */
  signInLink(): Promise<string>
  /** To type into another terminal or browser; works once, for ten minutes. */
  pairingCode(): Promise<{ code: string; expires_at: string }>
  /** A token with every scope, for the program that started the server. It must be kept in memory only. */
  ownToken(): Promise<string>
  close(options?: { graceMs?: number }): Promise<void>
}

const drainMs = 10_000

/** Rejects with an error whose message is one sentence for people (or several, for a bad configuration). */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const undo: (() => unknown)[] = []
  try {
    return await start(options, undo)
  } catch (error) {
    for (const step of undo.toReversed()) await Promise.resolve(step()).catch(() => undefined)
    throw error
  }
}

async function start(options: StartServerOptions, undo: (() => unknown)[]): Promise<RunningServer> {
  const { env, given } = await takeGivenCode(options.env)
  const cwd = options.cwd ?? process.cwd()
  const early: string[] = []
  const noted = { warn: (_fields: object, message: string) => early.push(message) }
  const home = await prepareHome(env, noted)
  const { folder: shared } = options.shared ?? {}
  const settingsFolder = shared === undefined ? home : await prepareSharedFolder(shared, env, noted)
  const lock = await lockHome(home)
  undo.push(() => lock.release())
  const log = openLog({ folder: join(home, 'logs'), level: 'info', alsoTo: options.logTo })
  undo.push(() => log.close())
  for (const message of early) log.warn({}, message)
  const { flags = {} } = options
  const config = await createConfigService({ home: settingsFolder, env, flags, cwd, logger: log })
  undo.push(() => config.close())
  followLogLevel(config, log)
  const { version, listening, composed, store } = await openAll(
    { ...options, env, cwd },
    { home, settingsFolder, config, log },
    undo,
  )
  const { port } = listening
  const { host, tls } = config.current()
  const scheme = tls ? 'https' : 'http'
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const url = `${scheme}://${name}:${port}`
  const tokenFile = join(home, 'cli-token')
  const serverFile = join(home, 'server.json')
  await writePrivateFile(tokenFile, await terminalToken(composed, home))
  await writePrivateFile(serverFile, JSON.stringify({ url, pid: process.pid, version }))
  if (given) await composed.signIn.take(given)
  const codeSocket = await openCodeSocketOrSay(composed, home, log)
  undo.push(() => codeSocket?.close())
  await composed.start()
  log.info({ url, version, model: composed.statusParts.model() }, 'started')
  for (const { code, level, message } of banners(composed.statusParts))
    if (level !== 'info') log.warn({ code }, message)
  let closing: Promise<void> | undefined
  return {
    url,
    port,
    home,
    logFile: log.file,
    banners: () => banners(composed.statusParts),
    signInLink: async () => `${url}/#code=${(await composed.auth.createSignInCode(scopes)).code}`,
    pairingCode: () => composed.auth.createSignInCode(scopes, { typed: true }),
    ownToken: () => issueOwnToken(composed),
    close({ graceMs = drainMs } = {}) {
      if (closing) composed.manager.hurry(graceMs)
      closing ??= (async () => {
        log.info({}, 'stopping')
        await Promise.all([rm(serverFile, { force: true }), rm(tokenFile, { force: true })])
        await codeSocket?.close()
        await composed.close(graceMs)
        listening.closeStreams()
        await listening.close()
        config.close()
        await store.close()
        log.close()
        await lock.release()
      })()
      return closing
    },
  }
}

async function openAll(
  options: StartServerOptions & { cwd: string },
  {
    home,
    settingsFolder,
    config,
    log,
  }: Pick<ComposeInput, 'home' | 'settingsFolder'> & { config: LiveConfig; log: Log },
  undo: (() => unknown)[],
) {
  const { env, clock = systemClock } = options
  const current = config.current()
  const version = env.DORKOS_VERSION || packageVersion
  const modelSource = findModelSource({ config: current, env, monotonic: () => clock.monotonic() })
  const { store, transcripts, cli, sandboxTools, containerTools, pageFiles } = await openTogether(
    { ...options, env, home, clock, log, cliPath: current.cliPath, modelSource },
    undo,
  )
  const sandbox = decideSandbox(current.sandbox, sandboxTools)
  let bound = { host: current.host, port: 0 }
  const composed = await compose({
    env,
    home,
    settingsFolder,
    node: await nodeId(home),
    ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
    config,
    store: {
      coordination: store.coordination,
      records: store.records,
      bus: createMemoryEventBus(),
      signals: createMemoryOwnerSignals(clock),
      ...options.shared,
    },
    transcripts,
    clock,
    logger: log,
    version,
    modelSource,
    cli,
    sandbox,
    containerTools,
    defaultCwd: current.defaultCwd ?? options.cwd,
    address: () => bound,
  })
  undo.push(() => composed.close(0))
  const app = createApp(composed.services, {
    events: composed.events,
    clock,
    logger: log,
    version,
    pageFiles,
    allowedHosts: () =>
      ownHosts({ ...bound, tls: current.tls !== undefined, publicOrigins: current.publicOrigins }),
    publicOrigins: current.publicOrigins,
    trustedProxies: current.trustedProxies,
    tls: current.tls !== undefined,
    mostStreams: () => config.current().events,
    validateResponses: options.validateResponses ?? false,
  })
  const listening = await listenOrSay(app.listener, current)
  undo.push(() => listening.close(0))
  bound = { host: current.host, port: listening.port }
  return { version, composed, store, listening: { ...listening, closeStreams: () => app.closeStreams() } }
}

/** Each of these starts something and waits for it: together they take as long as the slowest. */
async function openTogether(
  input: Pick<ComposeInput, 'env' | 'home' | 'clock' | 'modelSource'> & {
    log: Log
    cliPath: string | undefined
    pageFolder?: string
  },
  undo: (() => unknown)[],
) {
  const { env, home, clock, log } = input
  const shared = { clock, logger: log }
  const openingStore = openSqliteStore({ path: join(home, 'dorkos.db'), ...shared })
  undo.push(async () => (await openingStore).close())
  // One index per folder of the CLI's: what is not in its folders, an index forgets.
  const indexPath = join(home, input.modelSource.kind === 'demo' ? 'index-demo.db' : 'index.db')
  const configDirs = [cliConfigDir(input), ...containerConfigDirs(home, input.modelSource.kind === 'demo')]
  const openingTranscripts = openTranscriptReader({ configDirs, indexPath, ...shared })
  undo.push(async () => (await openingTranscripts).close())
  const [store, transcripts, cli, sandboxTools, containerTools, pageFiles] = await Promise.all([
    openingStore,
    openingTranscripts,
    findCli(input.cliPath),
    findSandbox(env),
    findContainerTools(env),
    openPageFiles(input.pageFolder ?? pageFolder),
  ])
  return { store, transcripts, cli, sandboxTools, containerTools, pageFiles }
}

/** The one that came with DorkOS, unless the configuration names another. */
async function findCli(cliPath: string | undefined): Promise<{ path: string; version: string | undefined }> {
  try {
    return await findClaudeCode(cliPath === undefined ? { env: {} } : { cliPath })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new AppError('agent_failed', say('cli_unusable', { detail: message }), { cause: error })
  }
}

function decideSandbox(
  wanted: 'auto' | 'required' | 'off',
  tools: { available: boolean; reason: Saying | undefined },
) {
  if (wanted === 'off') return { enabled: false, reason: say('sandbox_switched_off') }
  if (wanted === 'required' && !tools.available)
    throw new AppError('unavailable', say('sandbox_required', { why: tools.reason ?? '' }))
  return { enabled: tools.available, reason: tools.reason }
}

async function listenOrSay(
  listener: Parameters<typeof listen>[0],
  { host, port, tls }: { host: string; port: number; tls?: { cert: string; key: string } | undefined },
): Promise<Listening> {
  try {
    const pem = tls && { cert: readFileSync(tls.cert, 'utf8'), key: readFileSync(tls.key, 'utf8') }
    return await listen(listener, { host, port, ...(pem && { tls: pem }) })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new AppError('conflict', say('port_taken', { port }), { cause: error })
    if (code === 'EACCES') throw new AppError('forbidden', say('port_forbidden', { port }), { cause: error })
    throw new AppError('unavailable', say('port_unusable', { host, port, detail: message }), {
      cause: error,
    })
  }
}

/** The server works without it: its own terminal and signed-in pages give codes too. */
async function openCodeSocketOrSay({ signIn }: Composed, home: string, log: Log) {
  try {
    return await openCodeSocket({
      path: join(home, codeSocketName),
      answer: (form) => signIn.codeForTerminal(form),
      logger: log,
    })
  } catch (error) {
    log.warn({ err: error }, '`dorkos code` does not work: its socket cannot be made in the state folder')
    return undefined
  }
}

/** Made once for a state folder: it identifies who owned a session before a restart. */
async function nodeId(home: string): Promise<string> {
  const file = join(home, 'node-id')
  const known = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (/^[0-9a-f]{16}$/.test(known)) return known
  const made = randomBytes(8).toString('hex')
  await writePrivateFile(file, made)
  return made
}

function followLogLevel(config: LiveConfig, log: Log): void {
  log.setLevel(config.current().log.level)
  config.onChange(() => log.setLevel(config.current().log.level))
}

/**
 * For commands of the same account: they may look and chat. It can answer for nobody, since an agent without a sandbox could
 * read it too. A new one each time; the last run's is revoked.
 */
async function terminalToken({ auth, services }: Composed, home: string): Promise<string> {
  const { code } = await auth.createSignInCode(['read', 'chat'])
  const { token, secret } = await auth.redeem({ code, name: ownTerminals, kind: 'terminal' }, 'local')
  const actor = serverActor(token.principal, token.scopes)
  // Others that share the records have tokens of that name too: the last run's is the one that is written down here.
  const idFile = join(home, 'cli-token-id')
  const last = (await readFile(idFile, 'utf8').catch(() => '')).trim()
  const known = await services.auth.listTokens(actor)
  if (known.some(({ id, name, revoked_at }) => id === last && name === token.name && !revoked_at))
    await auth.revokeToken(actor, last)
  await writePrivateFile(idFile, token.id)
  return secret
}

async function issueOwnToken({ auth }: Composed): Promise<string> {
  const { code } = await auth.createSignInCode(scopes)
  const name = `the program that started the server (process ${process.pid}, ${randomBytes(2).toString('hex')})`
  return (await auth.redeem({ code, name, kind: 'terminal' }, 'local')).secret
}
