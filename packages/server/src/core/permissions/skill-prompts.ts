/**
 * The prompts in whose turn a skill or command came into use, by a person or by the agent. What such a skill names in `allowed-tools` the CLI
 * lets run unasked until the turn is over (2.1.325).
 */
type HookInput = Readonly<Record<string, unknown>>

/** Turns follow each other; only work in the background still belongs to an earlier one. */
const most = 100

export class SkillPrompts {
  readonly #ids = new Set<unknown>()

  add({ prompt_id }: HookInput): void {
    this.#ids.add(prompt_id)
    if (this.#ids.size > most) this.#ids.delete(this.#ids.values().next().value)
  }

  /** A call that does not say which turn it belongs to may belong to any of them. */
  has({ prompt_id }: HookInput): boolean {
    return prompt_id === undefined ? this.#ids.size > 0 : this.#ids.has(prompt_id)
  }
}
