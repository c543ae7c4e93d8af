import type { ModelRequest } from './model-request.ts'

export type RequestMatcher = number | ((request: ModelRequest) => boolean)

interface Waiter {
  matcher: RequestMatcher
  resolve: (request: ModelRequest) => void
  reject: (error: Error) => void
}

/** Every model request in order of arrival, and those who wait for one. */
export class RequestLog {
  readonly requests: ModelRequest[] = []
  readonly #waiters = new Set<Waiter>()

  add(request: ModelRequest): void {
    this.requests.push(request)
    for (const waiter of this.#waiters) {
      const found = this.#find(waiter.matcher)
      if (found === undefined) continue
      this.#waiters.delete(waiter)
      waiter.resolve(found)
    }
  }

  async waitFor(matcher: RequestMatcher, timeoutMs: number): Promise<ModelRequest> {
    const found = this.#find(matcher)
    if (found !== undefined) return found
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<ModelRequest>((resolve, reject) => {
        const waiter = { matcher, resolve, reject }
        this.#waiters.add(waiter)
        timer = setTimeout(() => {
          this.#waiters.delete(waiter)
          reject(new Error(`No such model request within ${timeoutMs} ms; ${this.#summary()}`))
        }, timeoutMs)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  /** Lets nobody wait for what can no longer come. */
  close(): void {
    for (const waiter of this.#waiters) {
      waiter.reject(new Error(`The scripted model was closed; ${this.#summary()}`))
    }
    this.#waiters.clear()
  }

  #find(matcher: RequestMatcher): ModelRequest | undefined {
    if (typeof matcher === 'function') return this.requests.find(matcher)
    return this.requests.filter((request) => request.kind !== 'side')[matcher - 1]
  }

  #summary(): string {
    const kinds = this.requests.map((request) => request.kind)
    return kinds.length === 0 ? 'none came' : `these came: ${kinds.join(', ')}`
  }
}
