/**
 * Where a skill or command came into use, by a person or by an agent. What such a skill names in `allowed-tools` the CLI lets run unasked: in
 * the turn of that prompt; and in a subagent that was started there, or that used the skill itself, for as long as it lives. Its calls then say
 * the prompt of whichever turn runs now (2.1.325), so of subagents nothing can be distinguished once a skill was in use.
 */
type HookInput = Readonly<Record<string, unknown>>

/** Turns follow each other. */
const most = 100

export class SkillPrompts {
  readonly #ids = new Set<unknown>()

  add({ prompt_id }: HookInput): void {
    this.#ids.add(prompt_id)
    if (this.#ids.size > most) this.#ids.delete(this.#ids.values().next().value)
  }

  /** A call of a subagent, or one that does not say which turn it belongs to, may belong to any of them. */
  has({ prompt_id, agent_id }: HookInput): boolean {
    const isAnybodys = agent_id !== undefined || prompt_id === undefined
    return isAnybodys ? this.#ids.size > 0 : this.#ids.has(prompt_id)
  }
}
