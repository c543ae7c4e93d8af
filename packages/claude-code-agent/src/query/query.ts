/** `query()` with the official signature: the CLI's own messages, and methods on the iterator. */
import { AbortError, ResultError } from '../errors.ts'
import { createSession } from '../launch/create-session.ts'
import type { Prompt } from '../options.ts'
import type { PermissionMode } from '../permissions.ts'
import type { CliMessage } from '../protocol/control-channel.ts'
import { rawMapper, type SessionMessage } from '../session/messages.ts'
import { type McpServerStatus, Session, type SetMcpServersResult } from '../session/session.ts'
import type { SessionCore } from '../session/session-core.ts'
import type { McpServerConfig } from '../tools/server-config.ts'
import { type QueryOptions, splitQueryOptions } from './query-options.ts'

/** A message for streaming input, as the official SDK has it. */
export interface SDKUserMessage {
  type: 'user'
  message: { role: 'user'; content: Prompt }
  parent_tool_use_id: string | null
  uuid?: string
  session_id?: string
  priority?: 'now' | 'next' | 'later'
  [key: string]: unknown
}

/** Any message of the CLI, as it sent it. Tell them apart by `type`, then `subtype`; unknown ones do arrive. */
export type SDKMessage = CliMessage & { type: string; session_id?: string; uuid?: string }

export interface QueryParameters {
  prompt: string | AsyncIterable<SDKUserMessage>
  options?: QueryOptions
}

/** Starts an agent. Iterate to read its messages; the process ends with the iteration. */
export function query({ prompt, options = {} }: QueryParameters): Query {
  return new Query(prompt, options)
}

export class Query implements AsyncGenerator<SDKMessage, void> {
  readonly #core: SessionCore
  readonly #session: Session
  readonly #messages: AsyncIterableIterator<SessionMessage>
  readonly #abort: AbortController | undefined
  /** Messages to which the program gave an id: it gets the CLI's reports on those, and on no others. */
  readonly #reported = new Set<unknown>()
  readonly #opened: Promise<void>
  #inputError: Error | undefined
  #done = false

  constructor(prompt: string | AsyncIterable<SDKUserMessage>, options: QueryOptions) {
    const { session, conversation, abortController, spawn } = splitQueryOptions(options)
    const streaming = typeof prompt !== 'string'
    this.#core = createSession({
      options: session,
      conversation,
      keepAlive: streaming,
      replaceEnv: true,
      mapper: rawMapper,
      spawn,
    })
    this.#session = new Session(this.#core)
    this.#messages = this.#core.stream.attach()
    this.#abort = abortController
    this.#opened = this.#start(prompt)
    this.#opened.catch(() => {})
  }

  async next(): Promise<IteratorResult<SDKMessage, void>> {
    for (;;) {
      const { value, done } = await this.#messages.next()
      if (done) return this.#finish()
      if (this.#isHidden(value.raw)) continue
      return { value: value.raw as SDKMessage, done: false }
    }
  }

  async return(): Promise<IteratorResult<SDKMessage, void>> {
    this.#done = true
    await this.#messages.return?.()
    await this.#core.end('completed')
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
    void this.return()
  }

  async interrupt(): Promise<{ still_queued: string[] }> {
    await this.#opened
    const { stillQueued } = await this.#session.interrupt()
    return { still_queued: stillQueued }
  }

  /** Sends further messages, as a `prompt` iterable does. */
  async streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    for await (const message of stream) await this.#send(message)
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.#control((session) => session.setPermissionMode(mode))
  }

  async setModel(model?: string): Promise<void> {
    await this.#control((session) => session.setModel(model))
  }

  async setMaxThinkingTokens(tokens: number | null): Promise<void> {
    await this.#control((session) => session.setMaxThinkingTokens(tokens))
  }

  applyFlagSettings(settings: Record<string, unknown>): Promise<void> {
    return this.#control((session) => session.applyFlagSettings(settings))
  }

  async initializationResult(): Promise<Record<string, unknown>> {
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

  async #start(prompt: string | AsyncIterable<SDKUserMessage>): Promise<void> {
    const signal = this.#abort?.signal
    if (signal?.aborted) await this.#core.end('cancelled')
    signal?.addEventListener('abort', () => void this.#core.end('cancelled'), { once: true })
    if (typeof prompt !== 'string') {
      await this.#core.open()
      void this.#pump(prompt)
      return
    }
    await this.#core.open(prompt)
  }

  /** A prompt iterable that throws ends the input like one that is done; its error is thrown by the iteration. */
  async #pump(prompt: AsyncIterable<SDKUserMessage>): Promise<void> {
    try {
      for await (const message of prompt) await this.#send(message)
    } catch (error) {
      if (!this.#core.ended) this.#inputError = error as Error
    }
    this.#core.endOfInput()
  }

  async #send(message: SDKUserMessage): Promise<void> {
    if (message.uuid !== undefined) this.#reported.add(message.uuid)
    await this.#core.forward(message)
  }

  async #control<T>(call: (session: Session) => Promise<T>): Promise<T> {
    await this.#opened
    return call(this.#session)
  }

  async #listed(key: string): Promise<unknown[]> {
    const list = (await this.initializationResult())[key]
    return Array.isArray(list) ? list : []
  }

  #isHidden(raw: CliMessage): boolean {
    if (raw.sdk_host_only === true) return true
    return raw.type === 'command_lifecycle' && !this.#reported.has(raw.command_uuid)
  }

  /** As the official iterator does, an error result throws once it was delivered. An interrupt does not. */
  #finish(): IteratorResult<SDKMessage, void> {
    const last = this.#core.lastResult
    if (!this.#done) {
      this.#done = true
      if (this.#abort?.signal.aborted) throw new AbortError('Claude Code process aborted by user')
      if (this.#inputError) throw this.#inputError
      if (last && last.outcome !== 'completed' && last.outcome !== 'interrupted')
        throw new ResultError(last.raw)
    }
    return { value: undefined, done: true }
  }
}
