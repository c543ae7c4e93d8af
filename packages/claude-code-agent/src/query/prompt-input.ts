/** Streaming input: iterables of user messages, sent as they come. The agent is done when all of them are. */
import type { SessionCore } from '../session/session-core.ts'

/** A message for streaming input, as the official SDK has it. */
export interface SDKUserMessage {
  type: 'user'
  /** Text, or blocks of the Messages API; `{ type: string }` admits the types that others declare for those. */
  message: { role: string; content: string | (Record<string, unknown> | { type: string })[] }
  parent_tool_use_id: string | null
  uuid?: string
  session_id?: string
  priority?: 'now' | 'next' | 'later'
  /** Further fields of the CLI's. */
  [key: string]: unknown
}

export class PromptInput {
  readonly #core: SessionCore
  readonly #verbatim: boolean
  /** Messages to which the program gave an id: it gets the CLI's reports on those, and on no others. */
  readonly #named = new Set<unknown>()
  #streams = 0
  #sent = 0

  constructor(core: SessionCore, verbatim: boolean) {
    this.#core = core
    this.#verbatim = verbatim
  }

  /** Starts the agent with a text. */
  async open(prompt: string): Promise<void> {
    this.#sent++
    if (!this.#verbatim) return this.#core.open(prompt)
    await this.#core.open()
    await this.#core.forward(verbatim({ message: { role: 'user', content: prompt } }))
  }

  /** Sends everything that the iterable yields. Rejects with what it threw; the input has ended then all the same. */
  async send(stream: AsyncIterable<SDKUserMessage>): Promise<void> {
    this.#streams++
    this.#core.keepAlive = true
    const iterator = stream[Symbol.asyncIterator]()
    // Nobody reads on once the agent is gone: the program's iterable may clean up.
    this.#core.whenEnded(() => void Promise.resolve(iterator.return?.()).catch(() => {}))
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        if (this.#core.ended) return
        await this.#forward(next.value)
      }
    } catch (error) {
      if (!this.#core.ended) throw error
    } finally {
      if (--this.#streams === 0) this.#end()
    }
  }

  /** True for a report of the CLI's on a message that the program gave no id. */
  hides(commandUuid: unknown, state: unknown): boolean {
    if (!this.#named.has(commandUuid)) return true
    if (state === 'completed' || state === 'cancelled') this.#named.delete(commandUuid)
    return false
  }

  async #forward(message: SDKUserMessage): Promise<void> {
    if (message.uuid !== undefined) this.#named.add(message.uuid)
    await this.#core.forward(this.#verbatim ? verbatim(message) : message)
    this.#sent++
  }

  #end(): void {
    if (this.#sent > 0) this.#core.endOfInput()
    // There will be no answer to wait for.
    else void this.#core.end('completed')
  }
}

function verbatim(message: Record<string, unknown>): Record<string, unknown> {
  return { ...message, client_composed: true }
}
