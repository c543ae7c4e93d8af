/** What the model says, by the prompt that it answers: sessions of one host do not take each other's answers. */
import type { ModelRequest, ScriptFunction, Step } from '@dorkos/testkit'

export type Answer = Step | ScriptFunction

export class Prompts {
  readonly #answers = new Map<string, Answer[]>()

  /** The host's script. A prompt that nobody foresaw is an error that the agent shows. */
  readonly script = (request: ModelRequest): Step | Promise<Step> => {
    // After an interrupt the CLI puts a line of its own before the prompt.
    const prompt = request.lastUserText.split('\n').at(-1) ?? ''
    const answers = this.#answers.get(prompt)
    const next = answers?.shift()
    if (next === undefined) throw new Error(`no answer is left for ${JSON.stringify(prompt)}`)
    return typeof next === 'function' ? next(request) : next
  }

  /** Answers to this prompt (of one line), one for each request that it causes. Returns the prompt. */
  on(prompt: string, ...answers: Answer[]): string {
    this.#answers.set(prompt, answers)
    return prompt
  }
}
