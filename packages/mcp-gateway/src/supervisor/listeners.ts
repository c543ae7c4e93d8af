/** Those who want to hear of changes. One that throws stops neither the others nor what is being reported. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>()

  add(listener: (value: T) => void): () => void {
    // Wrapped, so that one who is added twice is notified twice and can leave once.
    const own = (value: T) => listener(value)
    this.#all.add(own)
    return () => void this.#all.delete(own)
  }

  notify(value: T): void {
    for (const listener of [...this.#all]) {
      try {
        listener(value)
      } catch {
        // Their contract says that they do not throw.
      }
    }
  }
}
