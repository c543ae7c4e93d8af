/** A conversation of many turns in one process. */
import { randomUUID } from 'node:crypto'
import { SessionStateError } from '../errors.ts'
import type { AgentOptions, Prompt, StartSessionOptions } from '../options.ts'
import type { SessionMessage } from '../session/messages.ts'
import type { SendOptions } from '../session/outbox.ts'
import type { InterruptOptions, InterruptReceipt, Session } from '../session/session.ts'
import { isTerminal } from '../session/state-machine.ts'
import { ClaudeCodeAgent } from './agent.ts'

export type ConnectOptions = Omit<StartSessionOptions, 'keepAlive' | 'prompt'>

export class ClaudeCodeClient {
  readonly #agent: ClaudeCodeAgent
  #connecting: Promise<Session> | undefined
  #session: Session | undefined
  #inbox: AsyncIterableIterator<SessionMessage> | undefined
  /** Messages whose answers were not read yet, oldest first. */
  #asked: string[] = []
  #stages = new MessageStages()
  /** An answer whose reader broke off: its rest is skipped before the next one. */
  #unread: AsyncGenerator<SessionMessage, void> | undefined

  constructor(options: AgentOptions = {}) {
    this.#agent = new ClaudeCodeAgent(options)
  }

  /** Starts the process. A client that is connected refuses. */
  async connect(options: ConnectOptions = {}): Promise<void> {
    if (this.#connecting || (this.#session && !isTerminal(this.#session.getState().state)))
      throw new SessionStateError('connect(): the client is already connected', 'idle')
    this.#connecting = this.#agent.startSession({ ...options, keepAlive: true })
    try {
      this.#session = await this.#connecting
    } finally {
      this.#connecting = undefined
    }
    this.#inbox = undefined
    this.#asked = []
    this.#stages = new MessageStages()
    this.#unread = undefined
  }

  /** The session behind the client: events, state and control. */
  get session(): Session {
    if (!this.#session)
      throw new SessionStateError('the client is not connected: call connect() first', 'idle')
    return this.#session
  }

  /** Sends a message. While a turn runs it is queued; `cancelMessage(uuid)` takes it back. */
  async query(prompt: Prompt, options: SendOptions = {}): Promise<{ uuid: string }> {
    // Attached before anything is sent, so that no message of the answer is missed.
    this.#inbox ??= this.session.messages()
    const uuid = options.uuid ?? randomUUID()
    this.#asked.push(uuid)
    return this.session.send(prompt, { ...options, uuid })
  }

  /**
   * The messages of one answer, up to and including its `result`. Call it once for each `query()`. A message that the
   * agent took into the turn that was running has no answer of its own: there is nothing to read then.
   */
  async *receiveResponse(): AsyncGenerator<SessionMessage, void> {
    if (this.#unread) for await (const _ of this.#unread);
    const answer = this.#answer(this.#asked.shift())
    this.#unread = answer
    // Pulled by hand: leaving a `for await` would end the answer, whose rest is still to be skipped.
    for (let next = await answer.next(); !next.done; next = await answer.next()) yield next.value
    this.#unread = undefined
  }

  async *#answer(uuid: string | undefined): AsyncGenerator<SessionMessage, void> {
    const inbox = this.#inbox ?? this.session.messages()
    this.#inbox = inbox
    const isOver = () => uuid !== undefined && this.#stages.isOver(uuid)
    while (!isOver()) {
      const next = await inbox.next()
      if (next.done) return
      this.#stages.note(next.value)
      yield next.value
      if (next.value.type === 'result' && this.#stages.hasBegun(uuid)) return
    }
  }

  /** Every message from now on, over all turns. */
  receiveMessages(): AsyncIterableIterator<SessionMessage> {
    return this.session.messages()
  }

  interrupt(options?: InterruptOptions): Promise<InterruptReceipt> {
    return this.session.interrupt(options)
  }

  /** Takes a message back; no answer is to be read for it then. False when the agent has already started on it. */
  async cancelMessage(uuid: string): Promise<boolean> {
    const gone = await this.session.cancelMessage(uuid)
    if (gone) this.#asked = this.#asked.filter((asked) => asked !== uuid)
    return gone
  }

  /** Ends the process. The client can connect again, to a new conversation or with `resume`. */
  async disconnect(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.close()
    await this.#agent.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect()
  }
}

/** How far messages have come, by what the CLI reported of them. */
class MessageStages {
  readonly #stages = new Map<string, string>()

  note(message: SessionMessage): void {
    if (message.type === 'command_lifecycle')
      this.#stages.set(String(message.raw.command_uuid), String(message.raw.state))
  }

  /** Without an id, and with a CLI that does not report on messages, the next result is taken for the answer. */
  hasBegun(uuid: string | undefined): boolean {
    if (uuid === undefined || this.#stages.size === 0) return true
    return this.#stages.get(uuid) === 'started' || this.isOver(uuid)
  }

  isOver(uuid: string): boolean {
    const stage = this.#stages.get(uuid)
    return stage === 'completed' || stage === 'cancelled'
  }
}
