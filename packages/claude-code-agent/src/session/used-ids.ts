/** The ids that messages were sent under, and under which others they went out again. Bounded. */
import { randomUUID } from 'node:crypto'

const limit = 10_000

export class UsedIds {
  readonly #ids = new Set<string>()
  /** Further ids on the wire → the program's own. */
  readonly #others = new Map<string, string>()

  get size(): number {
    return this.#ids.size
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > limit && oldest !== undefined) this.#ids.delete(oldest)
  }

  /** A new id for a message that goes out again. */
  another(id: string): string {
    const other = randomUUID()
    this.#others.set(other, id)
    const [oldest] = this.#others.keys()
    if (this.#others.size > limit && oldest !== undefined) this.#others.delete(oldest)
    return other
  }

  original(id: string): string {
    return this.#others.get(id) ?? id
  }
}
