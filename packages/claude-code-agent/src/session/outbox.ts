/**
 * Messages on their way to the agent. Each has a uuid; the CLI reports on each (`command_lifecycle`), so it is known
 * which still wait. While the session is paused, messages are held here, those called back that wait in the CLI.
 */
import { randomUUID } from 'node:crypto'
import { InvalidOptionsError } from '../errors.ts'
import type { Prompt } from '../options.ts'
import type { CliMessage } from '../protocol/control-channel.ts'
import { type Deferred, deferred } from './deferred.ts'
import { UsedIds } from './used-ids.ts'

/** `now` interrupts what runs, `next` goes in at the next opportunity, `later` after the turn. */
export type MessagePriority = 'now' | 'next' | 'later'

export interface SendOptions {
  /** Your own id for the message. Default: a new one. The CLI ignores an id that it has seen. */
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

/**
 * queued: the CLI has it; started: the agent works on it, in a turn of its own or in the one that runs; completed;
 * cancelled: taken back before it was started, or interrupted after; ignored: the CLI has seen its id before.
 */
export type MessageState = 'queued' | 'started' | 'completed' | 'cancelled' | 'ignored'

interface Entry extends QueuedMessage {
  /** The CLI ignores an id that it has seen, even of a message that was called back: a resent one needs a new id. */
  wireUuid: string
  /** Fields of the CLI's user message beyond ours. */
  extra: Record<string, unknown>
  reported?: MessageState
  /** Set while the message is asked back: resolves with whether the CLI gave it up. */
  withdrawal?: Deferred<boolean> | undefined
  /** Somebody takes it back: once the CLI has given it up, it does not go out again. */
  isUnwanted?: boolean
}

export interface OutboxSetup {
  write(message: Record<string, unknown>): Promise<void>
  /** Asks the CLI to give up a waiting message. False can still be followed by a report that it was cancelled. */
  cancel(wireUuid: string): Promise<boolean>
  /** A message has come further. One that was called back is not reported until it is queued once more and goes on. */
  report(uuid: string, state: MessageState): void
  /** Something that `open`, `held` or `list()` reports has changed. */
  changed(): void
  /** What a message has to wait for before it goes out; undefined for nothing. */
  ready(): Promise<unknown> | undefined
  warn(warning: string): void
}

/** How long an idle CLI may leave a message before it counts as ignored; on a busy machine it is slow to wake up. */
const ignoredAfterMs = 15_000

export class Outbox {
  readonly #setup: OutboxSetup
  readonly #messages = new Map<string, Entry>()
  readonly #used = new UsedIds()
  #line: Promise<unknown> = Promise.resolve()
  #holding = false
  #reportsLifecycle = false
  #agentIsIdle = false
  #ignoredTimer: NodeJS.Timeout | undefined

  constructor(setup: OutboxSetup) {
    this.#setup = setup
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

  /** Whether any message was ever sent. */
  get used(): boolean {
    return this.#used.size > 0
  }

  list(): QueuedMessage[] {
    return [...this.#messages.values()].map(({ uuid, content, state, priority }) => ({
      uuid,
      content,
      state,
      priority,
    }))
  }

  async send(content: Prompt, options: SendOptions): Promise<{ uuid: string }> {
    if (typeof content === 'string' ? content === '' : content.length === 0)
      throw new InvalidOptionsError('a message must not be empty')
    return this.#admit(content, options, {})
  }

  /** Sends a user message of the CLI's own form as it is. */
  async forward(message: Record<string, unknown>): Promise<{ uuid: string }> {
    const { message: inner, uuid, priority, ...extra } = message
    const content = (inner as { content?: Prompt } | undefined)?.content
    if (content === undefined) throw new InvalidOptionsError('a user message needs message.content')
    return this.#admit(content, { uuid, priority } as SendOptions, extra)
  }

  /** Takes a message back that the agent has not started on. Resolves with whether that was still possible. */
  async withdraw(uuid: string): Promise<boolean> {
    const message = this.#messages.get(uuid)
    if (!message || message.state === 'started') return false
    if (message.state !== 'held') {
      message.isUnwanted = true
      if (!(await this.#askBack(message))) return false
    }
    this.#remove(message, 'cancelled')
    return true
  }

  /** Takes back everything that is held here, and what is just being called back. Returns the ids of what is held. */
  dropHeld(): string[] {
    for (const message of this.#messages.values()) if (message.withdrawal) message.isUnwanted = true
    const held = this.#inState('held')
    for (const message of held) this.#remove(message, 'cancelled')
    return held.map((message) => message.uuid)
  }

  /** Holds messages from now on, and calls back those that wait in the CLI. */
  async hold(): Promise<void> {
    this.#holding = true
    await Promise.all(this.#inState('queued').map((message) => this.#callBack(message)))
    this.#setup.changed()
  }

  /** Sends what is held, in order and ahead of anything that is sent from now on. */
  async release(): Promise<void> {
    this.#holding = false
    await Promise.all(this.#inState('held').map((message) => this.#deliver(message)))
  }

  /** The id by which the program knows a message of the CLI's. */
  idOf(wireUuid: string): string {
    return this.#byWire(wireUuid)?.uuid ?? this.#used.original(wireUuid)
  }

  /** Follows the CLI's reports on messages. */
  observe(raw: CliMessage): void {
    this.#reportsLifecycle ||= isReporting(raw)
    if (raw.type !== 'command_lifecycle') return this.#reportsLifecycle ? undefined : this.#guess(raw)
    const message = this.#byWire(raw.command_uuid)
    if (!message || message.state === 'held') return
    if (raw.state === 'queued' && message.state !== 'started') this.#queued(message)
    if (raw.state === 'started') this.#started(message)
    if (raw.state === 'started' || raw.state === 'completed') message.withdrawal?.resolve(false)
    // Whoever asked for it decides what becomes of it.
    if (raw.state === 'cancelled' && message.withdrawal) return message.withdrawal.resolve(true)
    if (raw.state === 'completed' || raw.state === 'cancelled') this.#remove(message, raw.state)
  }

  /**
   * What an idle agent worked on is done, whether it said so or not. What it was sent and has not begun is not: it says
   * `queued` while it is still idle, and its state changes a moment later (2.1.325).
   */
  agentIsIdle(): void {
    this.#agentIsIdle = true
    for (const message of this.#inState('started')) {
      this.#messages.delete(message.uuid)
      this.#report(message, 'completed')
    }
    this.#watchUnbegun()
  }

  agentIsBusy(): void {
    this.#agentIsIdle = false
    clearTimeout(this.#ignoredTimer)
  }

  clear(): void {
    clearTimeout(this.#ignoredTimer)
    for (const message of this.#messages.values()) message.withdrawal?.resolve(false)
    this.#messages.clear()
  }

  async #admit(
    content: Prompt,
    { uuid = randomUUID(), priority }: SendOptions,
    extra: Record<string, unknown>,
  ): Promise<{ uuid: string }> {
    if (this.#used.has(uuid))
      throw new InvalidOptionsError(`a message with the id ${uuid} was sent before; the CLI would ignore it`)
    this.#used.add(uuid)
    const message: Entry = { uuid, wireUuid: uuid, content, state: 'held', priority, extra }
    this.#messages.set(uuid, message)
    if (this.#holding) this.#setup.changed()
    else await this.#deliver(message)
    return { uuid }
  }

  #queued(message: Entry): void {
    message.state = 'queued'
    this.#report(message, 'queued')
    // It was on its way when the pause began.
    if (this.#holding && !message.withdrawal) void this.#callBack(message)
  }

  #started(message: Entry): void {
    message.state = 'started'
    this.#report(message, 'started')
  }

  #report(message: Entry, state: MessageState): void {
    if (message.reported === state) return
    message.reported = state
    this.#setup.report(message.uuid, state)
  }

  async #callBack(message: Entry): Promise<void> {
    const isAskedFor = message.withdrawal !== undefined
    const isGivenUp = await this.#askBack(message)
    // Who asked first sees to it: a second time it would go out twice.
    if (!isGivenUp || isAskedFor) return
    if (message.isUnwanted) return this.#remove(message, 'cancelled')
    message.state = 'held'
    message.wireUuid = this.#used.another(message.uuid)
    this.#setup.changed()
    // The pause was over before the CLI gave it up.
    if (!this.#holding) await this.#deliver(message).catch(() => {})
  }

  /**
   * Asks the CLI for a message. A plain "no" is not the last word: for a message that it had not read yet the CLI
   * says so, and drops it all the same (2.1.325). Its next report on the message decides.
   */
  async #askBack(message: Entry): Promise<boolean> {
    if (message.withdrawal) return message.withdrawal.promise
    const withdrawal = deferred<boolean>()
    message.withdrawal = withdrawal
    this.#setup.cancel(message.wireUuid).then(
      (isGivenUp) => {
        const isTooLate = message.state === 'started' || !this.#messages.has(message.uuid)
        if (isGivenUp || isTooLate) withdrawal.resolve(isGivenUp)
      },
      () => withdrawal.resolve(false),
    )
    const isGivenUp = await withdrawal.promise
    message.withdrawal = undefined
    return isGivenUp
  }

  async #deliver(message: Entry): Promise<void> {
    message.state = 'sent'
    this.#setup.changed()
    const { wireUuid, content, priority, extra } = message
    // One behind the other: a message that waits must not be overtaken.
    const turn = this.#line.then(() => this.#setup.ready())
    const written = turn.then(() =>
      this.#setup.write({
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
      this.#remove(message, 'cancelled')
      throw error
    }
    if (this.#agentIsIdle) this.#watchUnbegun()
  }

  #remove(message: Entry, state: MessageState): void {
    this.#messages.delete(message.uuid)
    this.#report(message, state)
    this.#setup.changed()
  }

  #inState(state: QueuedMessage['state']): Entry[] {
    return [...this.#messages.values()].filter((message) => message.state === state)
  }

  #byWire(wireUuid: unknown): Entry | undefined {
    for (const message of this.#messages.values()) if (message.wireUuid === wireUuid) return message
    return undefined
  }

  /**
   * A CLI that does not report on messages: a turn begins with what was sent, and its result ends that. Until its first turn it is not known
   * whether it reports, so a result without a beginning ends nothing.
   */
  #guess(raw: CliMessage): void {
    const begins = raw.type === 'system' && raw.subtype === 'init'
    if (!begins && raw.type !== 'result') return
    const open = [...this.#messages.values()].filter(({ state }) => state !== 'held')
    for (const message of open) {
      if (begins) {
        this.#started(message)
        continue
      }
      if (message.state !== 'started') continue
      this.#messages.delete(message.uuid)
      this.#report(message, 'completed')
    }
    this.#setup.changed()
  }

  #watchUnbegun(): void {
    clearTimeout(this.#ignoredTimer)
    const unbegun = [...this.#inState('sent'), ...this.#inState('queued')]
    if (!this.#reportsLifecycle || unbegun.length === 0) return
    this.#ignoredTimer = setTimeout(() => this.#forgetIgnored(unbegun), ignoredAfterMs)
  }

  /** An id that is in the transcript of a resumed session is ignored without a word. */
  #forgetIgnored(unbegun: Entry[]): void {
    for (const message of unbegun) {
      const isUnbegun = message.state === 'sent' || message.state === 'queued'
      if (!isUnbegun || !this.#messages.has(message.uuid)) continue
      this.#setup.warn(
        `The CLI is idle and left out the message ${message.uuid}: it may have seen that id before`,
      )
      message.withdrawal?.resolve(true)
      this.#remove(message, 'ignored')
    }
  }
}

/**
 * Whether the CLI reports on messages: known from its first report, or from what it says with each turn. It can begin
 * and end a turn before it reports on anything: resumed after a crash, it uses one of its own to say that background
 * work was lost (2.1.325). No message that was sent is part of that turn.
 */
function isReporting({ type, subtype, capabilities }: CliMessage): boolean {
  if (type === 'command_lifecycle') return true
  const isInit = type === 'system' && subtype === 'init'
  return isInit && Array.isArray(capabilities) && capabilities.includes('msg_lifecycle_v1')
}
