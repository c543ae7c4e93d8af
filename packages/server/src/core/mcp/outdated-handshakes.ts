/** Servers that gave the CLI less in their handshake than they would now: instructions, or resources, that came late. */

/** A server that changes its mind all the time does not get the CLI to ask all the time. */
const repeatMs = 10_000

export class OutdatedHandshakes {
  readonly #names = new Set<string>()
  readonly #repeatedAt = new Map<string, number>()

  add(name: string): void {
    this.#names.add(name)
  }

  /** Those whose handshake is to be made anew at `now`. The others are kept. */
  take(now: number): string[] {
    const due = [...this.#names].filter(
      (name) => now - (this.#repeatedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= repeatMs,
    )
    for (const name of due) {
      this.#names.delete(name)
      this.#repeatedAt.set(name, now)
    }
    return due
  }
}
