/** A small typed emitter. Unlike Node's, an `error` without a listener does not throw, and a listener that throws
 * does not stop the others: its error is raised as an uncaught exception, where Node programs expect it. */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>()
  #held: (() => void)[] | undefined

  /** Keeps events from now on, so that listeners who are about to attach miss none. */
  hold(): void {
    this.#held ??= []
  }

  /** Raises what was kept, in order, and everything after it at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const raise of held) raise()
  }

  on<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set)
    set.add(listener)
    return () => this.off(event, listener)
  }

  off<E extends keyof Events>(event: E, listener: (value: Events[E]) => void): void {
    this.#listeners.get(event)?.delete(listener)
  }

  /** Whether somebody listens, or may still come to: worth making the event's value. */
  has(event: keyof Events): boolean {
    return this.#held !== undefined || (this.#listeners.get(event)?.size ?? 0) > 0
  }

  /** `otherwise` is called in place of the listeners where there are none. */
  emit<E extends keyof Events>(event: E, value: Events[E], otherwise?: () => void): void {
    if (this.#held) this.#held.push(() => this.#raise(event, value, otherwise))
    else this.#raise(event, value, otherwise)
  }

  #raise<E extends keyof Events>(event: E, value: Events[E], otherwise: (() => void) | undefined): void {
    const set = this.#listeners.get(event)
    if (!set || set.size === 0) return otherwise?.()
    for (const listener of [...set]) {
      try {
        ;(listener as (value: Events[E]) => void)(value)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
