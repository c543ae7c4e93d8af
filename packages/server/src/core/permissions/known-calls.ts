/** A call that was seen before it was decided, until it is over. */
export interface KnownCall {
  permissionMode: string
  hash: string
  /** Its beginning. */
  subject: string
  /** What hooks are told about it. */
  hookInput: Readonly<Record<string, unknown>>
  skillInUse: boolean
  /** `held`: the CLI was told to ask, and has not yet. `asked`: the gateway allowed it, or a person is asked. `denied`: it does not run; the CLI tells its end all the same. */
  state: 'seen' | 'held' | 'asked' | 'denied'
}

/** The calls of one session that are under way. Bounded: the CLI does not tell of every call that it drops. */
export class KnownCalls {
  readonly #calls = new Map<string, KnownCall>()
  readonly #most: number

  constructor(most = 10_000) {
    this.#most = most
  }

  add(toolCallId: string, call: KnownCall): void {
    this.#calls.set(toolCallId, call)
    const oldest = this.#calls.size > this.#most ? this.#calls.keys().next().value : undefined
    if (oldest !== undefined) this.#calls.delete(oldest)
  }

  get(toolCallId: string | undefined): KnownCall | undefined {
    return toolCallId === undefined ? undefined : this.#calls.get(toolCallId)
  }

  mark(toolCallId: string, state: KnownCall['state']): void {
    const call = this.#calls.get(toolCallId)
    if (call) call.state = state
  }

  delete(toolCallId: string): void {
    this.#calls.delete(toolCallId)
  }
}
