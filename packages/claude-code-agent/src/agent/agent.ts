/** Starts and resumes sessions with one set of options. */
import { AbortError, InvalidOptionsError, SessionNotFoundError } from '../errors.ts'
import { createSession } from '../launch/create-session.ts'
import { toEnvironment } from '../launch/environment.ts'
import { latestSession } from '../launch/latest-session.ts'
import type { AgentOptions, SessionOptions, StartSessionOptions } from '../options.ts'
import type { SessionRecorder } from '../recovery/record-session.ts'
import type { RecoverableSession } from '../recovery/recover.ts'
import { Session } from '../session/session.ts'
import type { SessionCore } from '../session/session-core.ts'
import { checkServers } from '../tools/server-config.ts'
import { Slots } from './slots.ts'
import { SpareProcesses } from './spare-processes.ts'

export class ClaudeCodeAgent {
  readonly options: AgentOptions
  readonly #slots: Slots
  readonly #spares: SpareProcesses
  readonly #live = new Set<SessionCore>()
  /** How often the agent was closed: a start that was under way then must not go on. */
  #closings = 0

  /** Refuses options that cannot work, before anything is started. */
  constructor(options: AgentOptions = {}) {
    const { maxConcurrentSessions: limit = Number.POSITIVE_INFINITY } = options
    if (!(limit >= 1)) throw new InvalidOptionsError(`maxConcurrentSessions must be at least 1, not ${limit}`)
    checkServers(options.mcpServers ?? {})
    this.options = options
    this.#slots = new Slots(limit)
    this.#spares = new SpareProcesses(
      (cwd) => createSession({ options: withDirectory(options, cwd), conversation: {}, keepAlive: true }),
      options.onWarning ?? ((warning) => process.emitWarning(warning)),
    )
  }

  /**
   * Starts a session and resolves once the CLI has answered; rejects with a typed error when it cannot be started.
   * Without `keepAlive` the session ends by itself when the agent is done.
   */
  async startSession(start: StartSessionOptions): Promise<Session> {
    if (start.prompt === undefined && !start.keepAlive)
      throw new InvalidOptionsError('startSession() needs a prompt, or keepAlive to wait for send()')
    if (start.prompt?.length === 0)
      throw new InvalidOptionsError('startSession(): the prompt must not be empty')
    const closings = this.#closings
    const release = await this.#slots.take(start.signal)
    let core: SessionCore | undefined
    let recorder: SessionRecorder | undefined
    try {
      core = await this.#prepare(start)
      if (this.#closings !== closings) throw new AbortError('The agent was closed while the session started')
      this.#follow(core, start, release)
      recorder = await this.#record(core)
      core.early.hold()
      await this.#begin(core, start)
      // After whoever awaits this has attached listeners: what came with the CLI's first lines is emitted then.
      setImmediate(() => core?.early.release())
      return new Session(core)
    } catch (error) {
      await core?.end('cancelled')
      await recorder?.undo()
      release()
      throw start.signal?.aborted ? new AbortError('The session was aborted while it started') : error
    }
  }

  /** Goes on with an earlier session. */
  resumeSession(sessionId: string, options: Omit<StartSessionOptions, 'resume'> = {}): Promise<Session> {
    const keepAlive = options.keepAlive ?? options.prompt === undefined
    return this.startSession({ ...options, keepAlive, resume: sessionId })
  }

  /**
   * Keeps `count` started and initialised processes at hand, so that the first turn of a new session is as fast as a
   * later one. They are used by sessions that set nothing but prompt, directory and `keepAlive`.
   */
  async prewarm(count: number, options: { projectPath?: string } = {}): Promise<void> {
    if (!Number.isInteger(count) || count < 0)
      throw new InvalidOptionsError(`prewarm(): ${count} is not a count`)
    await this.#spares.keep(count, options.projectPath ?? this.options.cwd)
  }

  /** Sessions that were running when an earlier program with this `stateStore` was killed. Resumes nothing by itself. */
  async recover(): Promise<RecoverableSession[]> {
    const store = this.options.stateStore
    if (!store) throw new InvalidOptionsError('recover() needs the option stateStore')
    const { findRecoverable } = await import('../recovery/recover.ts')
    return findRecoverable(store, (record, start) =>
      this.resumeSession(record.cliSessionIds?.at(-1) ?? record.sessionId, {
        projectPath: record.cwd,
        ...start,
      }),
    )
  }

  /** Ends everything that this agent started: running sessions are cancelled, spare processes are ended. */
  async close(): Promise<void> {
    this.#closings++
    this.#slots.clear(new AbortError('The agent was closed while the session waited for its turn'))
    const live = [...this.#live].map((core) =>
      core.end(core.state().state === 'idle' ? 'completed' : 'cancelled'),
    )
    await Promise.all([this.#spares.close(), ...live])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** A spare process where one fits, else a new one that is still to be opened. */
  async #prepare(start: StartSessionOptions): Promise<SessionCore> {
    const cwd = start.projectPath ?? start.options?.cwd ?? this.options.cwd
    const keepAlive = start.keepAlive ?? false
    const spare = isPlain(start) ? this.#spares.take(cwd) : undefined
    if (spare) {
      spare.keepAlive = keepAlive
      return spare
    }
    const options = withDirectory({ ...this.options, ...start.options }, cwd)
    return createSession({ options, conversation: await conversationOf(start, options), keepAlive })
  }

  async #record(core: SessionCore): Promise<SessionRecorder | undefined> {
    const { stateStore } = this.options
    if (!stateStore) return undefined
    return (await import('../recovery/record-session.ts')).recordSession(core, stateStore)
  }

  async #begin(core: SessionCore, start: StartSessionOptions): Promise<void> {
    const { prompt, waitForMcp } = start
    if (!core.opened && !waitForMcp) return core.open(prompt)
    if (core.opened) core.announceStart()
    else await core.open()
    if (waitForMcp) await new Session(core).waitForMcp(waitForMcp === true ? {} : waitForMcp)
    if (prompt !== undefined) await core.send(prompt)
  }

  #follow(core: SessionCore, start: StartSessionOptions, release: () => void): void {
    this.#live.add(core)
    const cancel = () => void core.end('cancelled')
    const ended = () => {
      this.#live.delete(core)
      start.signal?.removeEventListener('abort', cancel)
      release()
    }
    core.whenEnded(ended)
    if (start.signal?.aborted) cancel()
    start.signal?.addEventListener('abort', cancel, { once: true })
  }
}

/** A spare process was started with the agent's options and its own new id; anything else needs its own start. */
function isPlain(start: StartSessionOptions): boolean {
  return !(
    start.resume ||
    start.fork ||
    start.sessionId ||
    start.continueLatest ||
    start.options ||
    start.resumeAt
  )
}

function withDirectory(options: SessionOptions, cwd: string | undefined): SessionOptions {
  return cwd === undefined ? options : { ...options, cwd }
}

async function conversationOf(start: StartSessionOptions, options: SessionOptions) {
  const { resume, fork, resumeAt, sessionId } = start
  if (!start.continueLatest) return { resume, fork, resumeAt, sessionId }
  if (resume) throw new InvalidOptionsError('continueLatest and resume exclude each other')
  const newest = await latestSession(options.cwd, toEnvironment(options, process.env))
  if (newest) return { resume: newest, fork, resumeAt, sessionId }
  throw new SessionNotFoundError(
    '(latest)',
    `there is no session to continue in ${options.cwd ?? process.cwd()}`,
  )
}
