/** A conversation with an agent, as programs see it. */
import type { Prompt } from '../options.ts'
import type { PermissionMode } from '../permissions.ts'
import { checkServers, type McpServerConfig, splitServers } from '../tools/server-config.ts'
import { type McpReadiness, waitForMcp } from './mcp-readiness.ts'
import type { SessionMessage } from './messages.ts'
import type { QueuedMessage, SendOptions } from './outbox.ts'
import type { RawListener } from './reading.ts'
import type { SessionCore } from './session-core.ts'
import type { SessionEvents, SessionResult, SessionStateInfo } from './session-events.ts'

export interface InterruptOptions {
  /** Also drops messages that wait. Without it they run next. */
  cancelQueued?: boolean
}

export interface InterruptReceipt {
  /** Messages that were waiting and will still run. */
  stillQueued: string[]
  /** Messages that were dropped. */
  cancelled: string[]
}

export interface McpServerStatus {
  name: string
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled'
  error?: string
  tools?: { name: string; description?: string }[]
  [key: string]: unknown
}

export interface SetMcpServersResult {
  added: string[]
  removed: string[]
  errors: Record<string, string>
}

export class Session {
  /** Known from the start and stable. The CLI's own id can change inside a process (`/clear`): see `cliSessionIds`. */
  readonly id: string
  readonly #core: SessionCore

  constructor(core: SessionCore) {
    this.id = core.id
    this.#core = core
  }

  /** The ids that the CLI has used for this conversation, oldest first. */
  get cliSessionIds(): readonly string[] {
    return this.#core.cliSessionIds
  }

  /** The CLI's process, where it runs on this machine. */
  get pid(): number | undefined {
    return this.#core.channel.transport.pid
  }

  /**
   * The messages from now on. Each iterator is independent; the first one also gets what came before it (the newest
   * 1,000 messages). A reader that falls far behind slows the agent down. Ends with the session; throws when that failed.
   */
  messages(): AsyncIterableIterator<SessionMessage> {
    return this.#core.stream.attach()
  }

  /**
   * Every message of the CLI from now on, once and as it came, where `messages()` gives each of its blocks. A promise that
   * the listener returns says when it is done with the message: one that falls far behind slows the agent down. For
   * programs that keep the CLI's own messages: the first iterator of `messages()` then gets nothing from before it.
   */
  onRawMessage(listener: RawListener): () => void {
    return this.#core.onRawMessage(listener)
  }

  /** Listens to an event; the returned function stops that. */
  on<E extends keyof SessionEvents>(event: E, listener: (value: SessionEvents[E]) => void): () => void {
    return this.#core.events.on(event, listener)
  }

  off<E extends keyof SessionEvents>(event: E, listener: (value: SessionEvents[E]) => void): void {
    this.#core.events.off(event, listener)
  }

  getState(): SessionStateInfo {
    return this.#core.state()
  }

  /**
   * Resolves with how the session ended; rejects when it failed. Meanwhile a reader that has fallen behind holds nothing
   * up; with `keepReading: false` it does.
   */
  waitForCompletion(options: { keepReading?: boolean } = {}): Promise<SessionResult> {
    return this.#core.completion(options)
  }

  /** Sends a message. While a turn runs it waits in line, or goes into that turn where the CLI sees fit. */
  send(content: Prompt, options?: SendOptions): Promise<{ uuid: string }> {
    return this.#core.send(content, options)
  }

  /** Messages that the agent has not finished with. */
  queuedMessages(): QueuedMessage[] {
    return this.#core.outbox.list()
  }

  /** Takes a message back. False when the agent has already started on it. */
  cancelMessage(uuid: string): Promise<boolean> {
    return this.#core.outbox.withdraw(uuid)
  }

  /**
   * Holds every tool call, built-in ones too, and every message that waits, until `resume()`. Text that the model is
   * already streaming cannot be held, nor a tool that already runs.
   */
  pause(): Promise<void> {
    return this.#core.pause()
  }

  resume(): Promise<void> {
    return this.#core.resume()
  }

  /** Stops the turn that runs; its outcome is `interrupted`. Resolves when the CLI has confirmed. */
  interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    return this.#core.interrupt(options.cancelQueued ?? false)
  }

  /** Ends the session at once: the state is `cancelled`, the process is gone when this resolves. */
  cancel(): Promise<void> {
    return this.#core.end('cancelled')
  }

  /** Ends the session in good order: `completed` when the agent is idle, `cancelled` when it was at work. */
  close(): Promise<void> {
    return this.#core.end(this.#core.state().state === 'idle' ? 'completed' : 'cancelled')
  }

  /**
   * Lets go of the agent without ending it. It finishes its turn as far as it needs nobody here: questions, hooks and
   * in-process tools are refused from now on, and so is every tool unless the option `pausable` is false. It ends with this
   * program unless `endWithParent` is false.
   */
  detach(): Promise<void> {
    return this.#core.detach()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Any control request that has no method here yet. */
  control(
    subtype: string,
    payload: Record<string, unknown> = {},
    options: { timeoutMs?: number } = {},
  ): Promise<Record<string, unknown>> {
    return this.#core.channel.request(subtype, payload, options)
  }

  /** What the CLI reported at its start: `commands`, `agents`, `models`, `account`, output styles. */
  initializationResult(): Record<string, unknown> {
    return this.#core.initialization
  }

  /** Another model from the next request on; without one, the default. */
  async setModel(model?: string): Promise<void> {
    await this.control('set_model', model === undefined ? {} : { model })
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    await this.control('set_permission_mode', { mode })
  }

  async setMaxThinkingTokens(tokens: number | null): Promise<void> {
    await this.control('set_max_thinking_tokens', { max_thinking_tokens: tokens })
  }

  mcpServerStatus(): Promise<McpServerStatus[]> {
    return this.#mcpStatus()
  }

  async #mcpStatus(timeoutMs?: number): Promise<McpServerStatus[]> {
    const { mcpServers } = await this.control('mcp_status', {}, timeoutMs === undefined ? {} : { timeoutMs })
    return Array.isArray(mcpServers) ? mcpServers : []
  }

  async reconnectMcpServer(serverName: string): Promise<void> {
    await this.control('mcp_reconnect', { serverName })
  }

  /** The CLI also keeps it in the project's record in `.claude.json`, beyond the session (2.1.325). */
  async toggleMcpServer(serverName: string, enabled: boolean): Promise<void> {
    await this.control('mcp_toggle', { serverName, enabled })
  }

  /** Makes the session's servers these: in-process and external ones, those not named are removed. */
  async setMcpServers(servers: Record<string, McpServerConfig>): Promise<SetMcpServersResult> {
    this.#core.assertLive('setMcpServers')
    checkServers(servers)
    const { inProcess, external } = splitServers(servers)
    const announced = Object.fromEntries([...inProcess.keys()].map((name) => [name, { type: 'sdk', name }]))
    const change = this.#core.router.replace(inProcess)
    let answer: Record<string, unknown>
    try {
      answer = await this.control('mcp_set_servers', { servers: { ...external, ...announced } })
    } catch (error) {
      change.undo()
      throw error
    }
    change.keep()
    return {
      added: strings(answer.added),
      removed: strings(answer.removed),
      errors: (answer.errors ?? {}) as Record<string, string>,
    }
  }

  /** Waits until no MCP server is still connecting, or for `timeoutMs` (default 30 s), and says which are ready. */
  waitForMcp(options: { timeoutMs?: number } = {}): Promise<McpReadiness> {
    return waitForMcp((timeoutMs) => this.#mcpStatus(timeoutMs), options.timeoutMs ?? 30_000)
  }

  getContextUsage(detail: 'summary' | 'full' = 'full'): Promise<Record<string, unknown>> {
    return this.control('get_context_usage', { detail })
  }

  getSessionCost(): Promise<Record<string, unknown>> {
    return this.control('get_session_cost')
  }

  getUsage(): Promise<Record<string, unknown>> {
    return this.control('get_usage')
  }

  /** Puts files back to how they were before that message. Needs `enableFileCheckpointing`. */
  rewindFiles(userMessageId: string, options: { dryRun?: boolean } = {}): Promise<Record<string, unknown>> {
    return this.control('rewind_files', {
      user_message_id: userMessageId,
      ...(options.dryRun && { dry_run: true }),
    })
  }

  /** Sends what runs in the foreground (a long command) to the background. */
  backgroundTasks(): Promise<Record<string, unknown>> {
    return this.control('background_tasks')
  }

  async stopTask(taskId: string): Promise<void> {
    await this.control('stop_task', { task_id: taskId })
  }

  async applyFlagSettings(settings: Record<string, unknown>): Promise<void> {
    await this.control('apply_flag_settings', { settings })
  }

  getSettings(): Promise<Record<string, unknown>> {
    return this.control('get_settings')
  }

  listPermissionRules(): Promise<Record<string, unknown>> {
    return this.control('list_permission_rules')
  }

  fileSuggestions(query: string): Promise<Record<string, unknown>> {
    return this.control('file_suggestions', { query })
  }

  async rename(title: string): Promise<void> {
    await this.control('rename_session', { title })
  }

  reloadPlugins(): Promise<Record<string, unknown>> {
    return this.control('reload_plugins')
  }

  reloadSkills(): Promise<Record<string, unknown>> {
    return this.control('reload_skills')
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
