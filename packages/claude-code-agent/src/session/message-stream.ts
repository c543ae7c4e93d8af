/**
 * One source of messages, several consumers, each reading from when it attached. A consumer that falls behind
 * says so through `onLag`, and the owner stops reading from the CLI: its pipe fills, not our memory.
 */
export interface MessageStreamOptions {
  /** How many messages a consumer may fall behind before reading stops. */
  highWaterMark: number
  /** How many messages are kept for the first consumer before it attaches: the newest. */
  backlogLimit: number
  /** Called when a consumer falls behind, and when it has caught up. */
  onLag(behind: boolean): void
}

export interface MessageIterator<T> extends AsyncIterableIterator<T> {
  /** The next message if it is here already: one that need not wait for a promise. */
  take(): T | undefined
}

export class MessageStream<T> {
  readonly #options: MessageStreamOptions
  readonly #consumers = new Set<Consumer<T>>()
  #backlog: T[] | undefined = []
  #ended = false
  #failure: Error | undefined

  constructor(options: MessageStreamOptions) {
    this.#options = options
  }

  push(message: T): void {
    if (this.#ended) return
    if (this.#backlog) {
      this.#backlog.push(message)
      const { backlogLimit } = this.#options
      if (this.#backlog.length > 2 * backlogLimit) this.#backlog = this.#backlog.slice(-backlogLimit)
    }
    for (const consumer of this.#consumers) consumer.push(message)
  }

  /** Ends every iterator once it has read what is there; with an error, each then throws it. */
  end(failure?: Error): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = failure
    for (const consumer of this.#consumers) consumer.end(failure)
  }

  /** The first consumer, and all that attach in the same go, also get what came before, as far as the backlog reached. */
  attach(): MessageIterator<T> {
    const consumer = new Consumer<T>(this.#options.highWaterMark, {
      lag: this.#options.onLag,
      detach: () => this.#consumers.delete(consumer),
    })
    this.#consumers.add(consumer)
    for (const message of this.#backlog?.slice(-this.#options.backlogLimit) ?? []) consumer.push(message)
    if (this.#backlog && this.#consumers.size === 1) setImmediate(() => this.dropBacklog())
    if (this.#ended) consumer.end(this.#failure)
    return consumer
  }

  /** From now on nothing is kept for a consumer that is not there yet. */
  dropBacklog(): void {
    this.#backlog = undefined
  }
}

interface Waiting<T> {
  resolve(result: IteratorResult<T>): void
  reject(error: Error): void
}

class Consumer<T> implements MessageIterator<T> {
  readonly #highWaterMark: number
  readonly #owner: { lag(behind: boolean): void; detach(): void }
  #queue: T[] = []
  #head = 0
  #waiting: Waiting<T>[] = []
  #behind = false
  #ended = false
  #failure: Error | undefined

  constructor(highWaterMark: number, owner: { lag(behind: boolean): void; detach(): void }) {
    this.#highWaterMark = highWaterMark
    this.#owner = owner
  }

  push(message: T): void {
    const waiting = this.#waiting.shift()
    if (waiting) return waiting.resolve({ value: message, done: false })
    this.#queue.push(message)
    if (!this.#behind && this.#queue.length - this.#head > this.#highWaterMark) this.#setBehind(true)
  }

  end(failure: Error | undefined): void {
    this.#ended = true
    this.#failure = failure
    this.#setBehind(false)
    this.#owner.detach()
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) this.#finish().then(one.resolve, one.reject)
  }

  take(): T | undefined {
    return this.#head < this.#queue.length ? this.#shift() : undefined
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#head < this.#queue.length) return Promise.resolve({ value: this.#shift(), done: false })
    if (this.#ended) return this.#finish()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** A loop that breaks off: this consumer holds nothing up any more. */
  return(): Promise<IteratorResult<T>> {
    this.#queue = []
    this.#head = 0
    this.#failure = undefined
    this.end(undefined)
    return Promise.resolve({ value: undefined, done: true })
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this
  }

  /** The failure is thrown once; after that the iterator is simply done. */
  #finish(): Promise<IteratorResult<T>> {
    const failure = this.#failure
    this.#failure = undefined
    return failure ? Promise.reject(failure) : Promise.resolve({ value: undefined, done: true })
  }

  #shift(): T {
    const message = this.#queue[this.#head] as T
    this.#queue[this.#head++] = undefined as T
    // Reading starts again at half the mark, so that it does not stop and start with every message.
    if (this.#behind && this.#queue.length - this.#head <= this.#highWaterMark / 2) this.#setBehind(false)
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
    return message
  }

  #setBehind(behind: boolean): void {
    if (this.#behind === behind) return
    this.#behind = behind
    this.#owner.lag(behind)
  }
}
