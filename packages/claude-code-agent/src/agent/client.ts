/** A conversation of many turns in one process. */
import { SessionStateError } from '../errors.ts'
import type { AgentOptions, Prompt, StartSessionOptions } from '../options.ts'
import type { SessionMessage } from '../session/messages.ts'
import type { SendOptions } from '../session/outbox.ts'
import type { InterruptOptions, InterruptReceipt, Session } from '../session/session.ts'
import { ClaudeCodeAgent } from './agent.ts'

export type ConnectOptions = Omit<StartSessionOptions, 'keepAlive' | 'prompt'>

export class ClaudeCodeClient {
  readonly #agent: ClaudeCodeAgent
  #session: Session | undefined
  #inbox: AsyncIterableIterator<SessionMessage> | undefined
  /** A response whose reader broke off: its rest is skipped before the next one. */
  #unfinished = false

  constructor(options: AgentOptions = {}) {
    this.#agent = new ClaudeCodeAgent(options)
  }

  /** Starts the process. A client that is connected refuses. */
  async connect(options: ConnectOptions = {}): Promise<void> {
    if (this.#session) throw new SessionStateError('connect(): the client is already connected', 'idle')
    this.#session = await this.#agent.startSession({ ...options, keepAlive: true })
    this.#inbox = undefined
    this.#unfinished = false
  }

  /** The session behind the client: events, state and control. */
  get session(): Session {
    if (!this.#session)
      throw new SessionStateError('the client is not connected: call connect() first', 'idle')
    return this.#session
  }

  /** Sends a message. While a turn runs it is queued; `cancelMessage(uuid)` takes it back. */
  query(prompt: Prompt, options?: SendOptions): Promise<{ uuid: string }> {
    // Attached before anything is sent, so that no message of the answer is missed.
    this.#inbox ??= this.session.messages()
    return this.session.send(prompt, options)
  }

  /** The messages of one answer, up to and including its `result`. Call it once for each `query()`. */
  async *receiveResponse(): AsyncGenerator<SessionMessage, void> {
    const inbox = this.#inbox ?? this.session.messages()
    this.#inbox = inbox
    let skip = this.#unfinished
    this.#unfinished = true
    // Pulled by hand: leaving a `for await` would close the inbox, which later answers still need.
    for (let next = await inbox.next(); !next.done; next = await inbox.next()) {
      const ends = next.value.type === 'result'
      if (ends && !skip) this.#unfinished = false
      if (!skip) yield next.value
      if (ends && !skip) return
      if (ends) skip = false
    }
    this.#unfinished = false
  }

  /** Every message from now on, over all turns. */
  receiveMessages(): AsyncIterableIterator<SessionMessage> {
    return this.session.messages()
  }

  interrupt(options?: InterruptOptions): Promise<InterruptReceipt> {
    return this.session.interrupt(options)
  }

  cancelMessage(uuid: string): Promise<boolean> {
    return this.session.cancelMessage(uuid)
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
