import type { ModelRequest } from './model-request.ts'
import { apiError, type Reply, type Step, toReply } from './reply.ts'

export type ScriptFunction = (request: ModelRequest) => Step | Promise<Step>

/** A list is used up one step per request, and a step may be a function of its request; a function alone is asked each time. */
export type Script = readonly (Step | ScriptFunction)[] | ScriptFunction

/** Decides what each request is answered with. */
export class ScriptPlayer {
  /** What went wrong with the script itself, one sentence each. Empty after a sound test. */
  readonly problems: string[] = []
  readonly #answer: ScriptFunction | undefined
  readonly #steps: (Step | ScriptFunction)[]
  #played = 0
  #sticky: Reply | undefined

  constructor(script: Script) {
    this.#answer = typeof script === 'function' ? script : undefined
    this.#steps = typeof script === 'function' ? [] : [...script]
  }

  get remaining(): number {
    return this.#steps.length
  }

  push(steps: readonly (Step | ScriptFunction)[]): void {
    this.#steps.push(...steps)
  }

  /** Steps that were pushed go before the function. Never throws: a fault of the script is an answer, and kept. */
  async next(request: ModelRequest): Promise<Reply> {
    const step = this.#steps.shift()
    if (typeof step === 'function') return this.#play(await this.ask(step, request))
    if (step !== undefined) return this.#play(toReply(step))
    if (this.#sticky !== undefined) return this.#sticky
    if (this.#answer === undefined) {
      return this.#fault(`The script ran out: it had ${count(this.#played)}, and one more request came`)
    }
    return await this.ask(this.#answer, request)
  }

  async ask(answer: ScriptFunction, request: ModelRequest): Promise<Reply> {
    try {
      return toReply(await answer(request))
    } catch (error) {
      return this.#fault(`The script failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #play(reply: Reply): Reply {
    this.#played += 1
    this.#sticky = reply.kind === 'error' && reply.sticky === true ? reply : undefined
    return reply
  }

  // Status 400 because the CLI gives up on it at once. It does ask twice more, without some of its beta headers, so the
  // same problem is kept once.
  #fault(problem: string): Reply {
    if (!this.problems.includes(problem)) this.problems.push(problem)
    return apiError(400, problem)
  }
}

function count(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`
}
