/**
 * A small typed emitter. Unlike Node's, an `error` without a listener does not throw, and a listener that throws
 * does not stop the others.
 */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>()

  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set)
    set.add(listener)
    return () => this.off(event, listener)
  }

  off<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): void {
    this.#listeners.get(event)?.delete(listener)
  }

  has(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }

  /** `otherwise` is called in place of the listeners where there are none. */
  emit<E extends keyof Events>(event: E, value: Events[E], otherwise?: () => void): void {
    const set = this.#listeners.get(event)
    if (!set || set.size === 0) return otherwise?.()
    for (const listener of [...set]) {
      try {
        ;(listener as (value: Events[E]) => void)(value)
      } catch (error) {
        raiseUncaught(error)
      }
    }
  }
}

/** What a listener threw becomes an uncaught exception, where Node programs expect it. */
export function raiseUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
