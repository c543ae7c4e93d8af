/** The tools, resources or prompts of a server: ordered, and without duplicates. */
import { ToolDefinitionError } from '../errors.ts'

export class NamedList<T> {
  #items = new Map<string, T>()
  #what: string
  #server: string

  constructor(what: string, server: string) {
    this.#what = what
    this.#server = server
  }

  get size(): number {
    return this.#items.size
  }

  get(name: string): T | undefined {
    return this.#items.get(name)
  }

  /** Throws ToolDefinitionError where the name is taken. */
  add(name: string, item: T): void {
    if (this.#items.has(name)) {
      throw new ToolDefinitionError(`Server '${this.#server}' already has a ${this.#what} '${name}'`)
    }
    this.#items.set(name, item)
  }

  remove(name: string): boolean {
    return this.#items.delete(name)
  }

  values(): T[] {
    return [...this.#items.values()]
  }
}
