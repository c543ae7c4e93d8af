/**
 * Messages on their way to the agent. Each has a uuid; the CLI reports on each (`command_lifecycle`), so it is known
 * which still wait. While the session is paused, new messages are held here.
 */
import { randomUUID } from 'node:crypto'
import { InvalidOptionsError } from '../errors.ts'
import type { Prompt } from '../options.ts'
import type { CliMessage } from '../protocol/control-channel.ts'

/** `now` interrupts what runs, `next` goes in at the next opportunity, `later` after the turn. */
export type MessagePriority = 'now' | 'next' | 'later'

export interface SendOptions {
  /** Your own id for the message. Default: a new one. */
  uuid?: string
  priority?: MessagePriority
}

export interface QueuedMessage {
  uuid: string
  content: Prompt
  /** held: kept here while paused; sent: on its way; queued: waits in the CLI; started: the agent works on it. */
  state: 'held' | 'sent' | 'queued' | 'started'
  priority: MessagePriority | undefined
}

/** The CLI ignores a uuid that it has seen before, also one that was cancelled: what goes out again needs a new one. */
interface Entry extends QueuedMessage {
  wireUuid: string
  /** Fields of the CLI's user message beyond ours. */
  extra: Record<string, unknown>
}

export interface OutboxSetup {
  write(message: Record<string, unknown>): Promise<void>
  /** Something that `open`, `held` or `list()` tells has changed. */
  changed(): void
  /** What a message has to wait for before it goes out; undefined for nothing. */
  ready(): Promise<unknown> | undefined
}

export class Outbox {
  readonly #messages = new Map<string, Entry>()
  readonly #write: (message: Record<string, unknown>) => Promise<void>
  readonly #changed: () => void
  readonly #ready: () => Promise<unknown> | undefined
  #line: Promise<unknown> = Promise.resolve()
  #reportsLifecycle = false

  constructor(setup: OutboxSetup) {
    this.#write = setup.write
    this.#changed = setup.changed
    this.#ready = setup.ready
  }

  /** Messages that were sent and are not done. */
  get open(): number {
    let count = 0
    for (const message of this.#messages.values()) if (message.state !== 'held') count++
    return count
  }

  get held(): number {
    return this.#messages.size - this.open
  }

  list(): QueuedMessage[] {
    return [...this.#messages.values()].map(({ uuid, content, state, priority }) => ({
      uuid,
      content,
      state,
      priority,
    }))
  }

  async send(content: Prompt, options: SendOptions, hold: boolean): Promise<{ uuid: string }> {
    if (typeof content === 'string' ? content === '' : content.length === 0)
      throw new InvalidOptionsError('a message must not be empty')
    return this.#admit(content, options, hold, {})
  }

  /** Sends a user message of the CLI's own form as it is. */
  forward(message: Record<string, unknown>, hold: boolean): Promise<{ uuid: string }> {
    const { message: inner, uuid, priority, ...extra } = message
    const content = (inner as { content?: Prompt } | undefined)?.content
    if (content === undefined) throw new InvalidOptionsError('a user message needs message.content')
    const options = { uuid, priority } as SendOptions
    return this.#admit(content, options, hold, extra)
  }

  async #admit(
    content: Prompt,
    options: SendOptions,
    hold: boolean,
    extra: Record<string, unknown>,
  ): Promise<{ uuid: string }> {
    const uuid = options.uuid ?? randomUUID()
    if (this.#messages.has(uuid))
      throw new InvalidOptionsError(`a message with the id ${uuid} is already on its way`)
    const state = hold ? 'held' : 'sent'
    const message: Entry = { uuid, wireUuid: uuid, content, state, priority: options.priority, extra }
    this.#messages.set(uuid, message)
    if (!hold) await this.#deliver(message)
    return { uuid }
  }

  /** Takes back what is held here. Returns whether there was such a message. */
  dropHeld(uuid: string): boolean {
    if (this.#messages.get(uuid)?.state !== 'held') return false
    this.#messages.delete(uuid)
    this.#changed()
    return true
  }

  /** The id under which the CLI knows a message that still waits there. */
  queuedInCli(uuid: string): string | undefined {
    const message = this.#messages.get(uuid)
    return message && message.state !== 'held' && message.state !== 'started' ? message.wireUuid : undefined
  }

  /**
   * Calls messages that still wait in the CLI back to this side. `recall` asks the CLI for one and says whether it
   * was given back.
   */
  async recallQueued(recall: (wireUuid: string) => Promise<boolean>): Promise<void> {
    for (const message of [...this.#messages.values()]) {
      if (message.state !== 'queued') continue
      // Held before the question, so that the CLI's report of its end does not remove it here.
      message.state = 'held'
      const wireUuid = message.wireUuid
      message.wireUuid = randomUUID()
      if (await recall(wireUuid)) continue
      message.wireUuid = wireUuid
      message.state = 'started'
    }
    this.#changed()
  }

  async releaseHeld(): Promise<void> {
    const held = [...this.#messages.values()].filter((message) => message.state === 'held')
    for (const message of held) {
      message.state = 'sent'
      await this.#deliver(message)
    }
  }

  /** Follows the CLI's reports on messages. */
  observe(raw: CliMessage): void {
    if (raw.type === 'result' && !this.#reportsLifecycle) return this.#forgetSent()
    if (raw.type !== 'command_lifecycle') return
    this.#reportsLifecycle = true
    const wireUuid = raw.command_uuid
    const message = [...this.#messages.values()].find((one) => one.wireUuid === wireUuid)
    if (!message || message.state === 'held') return
    const state = raw.state
    if (state === 'queued' || state === 'started') message.state = state
    if (state !== 'completed' && state !== 'cancelled') return
    this.#messages.delete(message.uuid)
    this.#changed()
  }

  /** An agent that is idle has nothing in line: what it acknowledged is done, whether it said so or not. */
  agentIsIdle(): void {
    for (const message of [...this.#messages.values()]) {
      if (message.state === 'queued' || message.state === 'started') this.#messages.delete(message.uuid)
    }
  }

  clear(): void {
    this.#messages.clear()
  }

  async #deliver(message: Entry): Promise<void> {
    this.#changed()
    const { uuid, wireUuid, content, priority, extra } = message
    // One behind the other: a message that waits must not be overtaken.
    const turn = this.#line.then(() => this.#ready())
    const written = turn.then(() =>
      this.#write({
        type: 'user',
        session_id: '',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        ...extra,
        uuid: wireUuid,
        ...(priority && { priority }),
      }),
    )
    this.#line = written.catch(() => {})
    try {
      await written
    } catch (error) {
      this.#messages.delete(uuid)
      this.#changed()
      throw error
    }
  }

  /** A CLI that does not report on messages: a result ends what was sent. */
  #forgetSent(): void {
    for (const message of [...this.#messages.values()]) {
      if (message.state !== 'held') this.#messages.delete(message.uuid)
    }
    this.#changed()
  }
}
