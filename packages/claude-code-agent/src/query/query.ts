/** `query()` with the official signature: the CLI's own messages, and methods on the iterator. */
import { AbortError, InvalidOptionsError, ResultError } from '../errors.ts'
import type { PermissionMode } from '../permissions.ts'
import type { CliMessage } from '../protocol/control-channel.ts'
import type { MessageIterator } from '../session/message-stream.ts'
import type { SessionMessage } from '../session/messages.ts'
import { type McpServerStatus, Session, type SetMcpServersResult } from '../session/session.ts'
import type { SessionCore } from '../session/session-core.ts'
import type { McpServerConfig } from '../tools/server-config.ts'
import { createQuerySession } from './create-query-session.ts'
import { PromptInput, type SDKUserMessage } from './prompt-input.ts'
import { type QueryOptions, splitQueryOptions } from './query-options.ts'
import type { SDKMessage } from './sdk-messages.ts'

export interface QueryParameters {
  prompt: string | AsyncIterable<SDKUserMessage>
  options?: QueryOptions
}

/**
 * Starts an agent. Iterate to read its messages; the process ends with the iteration. Options that cannot work are
 * refused here; what goes wrong later is thrown by the iteration.
 */
export function query({ prompt, options = {} }: QueryParameters): Query {
  return new Query(prompt, options)
}

interface Live {
  core: SessionCore
  session: Session
  input: PromptInput
  messages: MessageIterator<SessionMessage>
  /** There is, or will be, a process to end. */
  started: boolean
}

export class Query implements AsyncGenerator<SDKMessage, void> {
  readonly #abort: AbortController | undefined
  /** Set when the session exists; with `continue` that needs a read of the disk. */
  readonly #created: Promise<Live>
  #live: Live | undefined
  readonly #opened: Promise<Live>
  #inputError: Error | undefined
  #done = false

  constructor(prompt: string | AsyncIterable<SDKUserMessage>, options: QueryOptions) {
    const split = splitQueryOptions(options)
    if (prompt === '') throw new InvalidOptionsError('prompt must not be empty')
    this.#abort = split.abortController
    const core = createQuerySession(split, typeof prompt !== 'string')
    const begin = (made: SessionCore) => this.#begin(made, split.verbatim)
    this.#created = core instanceof Promise ? core.then(begin) : Promise.resolve(begin(core))
    this.#opened = this.#created.then((live) => this.#open(live, prompt))
    this.#opened.catch(() => {})
  }

  next(): Promise<IteratorResult<SDKMessage, void>> {
    const live = this.#live
    for (let ready = live?.messages.take(); live && ready; ready = live.messages.take()) {
      if (this.#isHidden(live, ready.raw)) continue
      return Promise.resolve({ value: ready.raw as unknown as SDKMessage, done: false })
    }
    return this.#wait()
  }

  async #wait(): Promise<IteratorResult<SDKMessage, void>> {
    const live = this.#live ?? (await this.#created)
    for (;;) {
      const { value, done } = await live.messages.next().catch((error: unknown) => this.#failed(error))
      if (done) return this.#finish(live)
      if (this.#isHidden(live, value.raw)) continue
      return { value: value.raw as unknown as SDKMessage, done: false }
    }
  }

  async return(): Promise<IteratorResult<SDKMessage, void>> {
    this.#done = true
    const live = await this.#created.catch(() => undefined)
    await live?.messages.return?.()
    if (live?.started) await live.core.end('completed')
    return { value: undefined, done: true }
  }

  async throw(error: unknown): Promise<IteratorResult<SDKMessage, void>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  /** Ends the process and the iteration. */
  close(): void {
    this.return().catch(() => {})
  }

  async interrupt(): Promise<{ still_queued: string[] }> {
    const { stillQueued } = await this.#control((session) => session.interrupt())
    return { still_queued: stillQueued }
  }

  /** Sends further messages, as a `prompt` iterable does. */
  async streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    const { input } = await this.#opened
    await input.send(stream)
  }

  setPermissionMode(mode: PermissionMode): Promise<void> {
    return this.#control((session) => session.setPermissionMode(mode))
  }

  setModel(model?: string): Promise<void> {
    return this.#control((session) => session.setModel(model))
  }

  setMaxThinkingTokens(tokens: number | null): Promise<void> {
    return this.#control((session) => session.setMaxThinkingTokens(tokens))
  }

  applyFlagSettings(settings: Record<string, unknown>): Promise<void> {
    return this.#control((session) => session.applyFlagSettings(settings))
  }

  initializationResult(): Promise<Record<string, unknown>> {
    return this.#control(async (session) => session.initializationResult())
  }

  supportedCommands(): Promise<unknown[]> {
    return this.#listed('commands')
  }

  supportedModels(): Promise<unknown[]> {
    return this.#listed('models')
  }

  supportedAgents(): Promise<unknown[]> {
    return this.#listed('agents')
  }

  async accountInfo(): Promise<Record<string, unknown>> {
    return ((await this.initializationResult()).account ?? {}) as Record<string, unknown>
  }

  mcpServerStatus(): Promise<McpServerStatus[]> {
    return this.#control((session) => session.mcpServerStatus())
  }

  reconnectMcpServer(serverName: string): Promise<void> {
    return this.#control((session) => session.reconnectMcpServer(serverName))
  }

  toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    return this.#control((session) => session.toggleMcpServer(serverName, enabled))
  }

  setMcpServers(servers: Record<string, McpServerConfig>): Promise<SetMcpServersResult> {
    return this.#control((session) => session.setMcpServers(servers))
  }

  getContextUsage(options: { detail?: 'summary' | 'full' } = {}): Promise<Record<string, unknown>> {
    return this.#control((session) => session.getContextUsage(options.detail))
  }

  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<Record<string, unknown>> {
    return this.#control((session) => session.rewindFiles(userMessageId, options))
  }

  stopTask(taskId: string): Promise<void> {
    return this.#control((session) => session.stopTask(taskId))
  }

  /** Any control request that has no method here yet. */
  control(subtype: string, payload: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.#control((session) => session.control(subtype, payload))
  }

  #begin(core: SessionCore, verbatim: boolean): Live {
    const live: Live = {
      core,
      session: new Session(core),
      input: new PromptInput(core, verbatim),
      messages: core.stream.attach(),
      started: false,
    }
    const signal = this.#abort?.signal
    const cancel = () => {
      if (live.started) void core.end('cancelled')
    }
    signal?.addEventListener('abort', cancel, { once: true })
    core.whenEnded(() => signal?.removeEventListener('abort', cancel))
    this.#live = live
    return live
  }

  async #open(live: Live, prompt: string | AsyncIterable<SDKUserMessage>): Promise<Live> {
    const { core, input } = live
    if (this.#abort?.signal.aborted) {
      await core.end('cancelled')
      throw aborted()
    }
    live.started = true
    if (typeof prompt === 'string') {
      await input.open(prompt)
      return live
    }
    await core.open()
    // Its error is the program's own: the iteration throws it, once the agent is done with what it was sent before.
    input.send(prompt).catch((error: unknown) => {
      this.#inputError = error as Error
    })
    return live
  }

  async #control<T>(call: (session: Session) => Promise<T>): Promise<T> {
    return call((await this.#opened).session)
  }

  async #listed(key: string): Promise<unknown[]> {
    const list = (await this.initializationResult())[key]
    return Array.isArray(list) ? list : []
  }

  #isHidden({ input }: Live, raw: CliMessage): boolean {
    if (raw.sdk_host_only === true) return true
    return raw.type === 'command_lifecycle' && input.hides(raw.command_uuid, raw.state)
  }

  #failed(error: unknown): never {
    this.#done = true
    throw error
  }

  /** As the official iterator does, an error result throws once it was delivered. An interrupt does not. */
  async #finish({ core, started }: Live): Promise<IteratorResult<SDKMessage, void>> {
    if (this.#done) {
      // Ended from outside: when the loop is over, so is the process.
      if (started) await core.end('completed')
      return { value: undefined, done: true }
    }
    this.#done = true
    if (this.#abort?.signal.aborted) throw aborted()
    if (this.#inputError) throw this.#inputError
    const last = core.lastResult
    if (last && last.outcome !== 'completed' && last.outcome !== 'interrupted')
      throw new ResultError(last.raw)
    return { value: undefined, done: true }
  }
}

function aborted(): AbortError {
  return new AbortError('Claude Code process aborted by user')
}
