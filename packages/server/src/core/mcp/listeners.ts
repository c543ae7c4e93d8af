/** Those who want to know that something changed. */
export class Listeners {
  readonly #all = new Set<() => void>()

  /** Returns what ends it. */
  add(listener: () => void): () => void {
    const own = () => listener()
    this.#all.add(own)
    return () => void this.#all.delete(own)
  }

  tell(): void {
    for (const listener of [...this.#all]) listener()
  }
}
