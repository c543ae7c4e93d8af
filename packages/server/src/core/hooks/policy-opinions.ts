/**
 * What `PreToolUse` hooks of the machine's policy say about tool calls. Claude Code runs these itself, and reports the end of each with the
 * tool, but without the call or the hook (2.1.325). The report comes before the call goes on, so it is about the next one of that tool.
 */
import type { Decider } from '@dorkos/shared'
import { type Fields, integer, text } from '../event-map/untrusted.ts'
import type { HookRunner } from '../ports/hook-runner.ts'
import { hookDecider } from './hook-decider.ts'
import { opinionOf } from './hook-output.ts'
import type { HookWithState } from './hook-states.ts'

interface PolicyOpinion {
  says: 'allow' | 'deny'
  by: Decider
}

/** Hooks of a policy for the other event that decides are never allowed (`hook-states.ts`). */
const event = 'PreToolUse'

/** More are not open at once; a call that was dropped takes none. */
const most = 100

export class PolicyOpinions {
  readonly #hooks: readonly HookWithState[]
  readonly #matches: HookRunner['matches']
  readonly #said: (PolicyOpinion & { tool: string })[] = []

  constructor(hooks: readonly HookWithState[], matches: HookRunner['matches']) {
    this.#hooks = hooks.filter(
      ({ hook, state }) => hook.source === 'policy' && hook.event === event && state === 'runs',
    )
    this.#matches = matches
  }

  /** A `hook_response` of the CLI. */
  see(message: Fields): void {
    const { hook_event, hook_name: name } = message
    if (hook_event !== event || typeof name !== 'string') return
    const tool = name.slice(event.length + 1)
    const { says } = opinionOf(event, {
      outcome: 'ended',
      exitCode: integer(message.exit_code),
      stdout: text(message.stdout) ?? '',
      stderr: text(message.stderr) ?? '',
    })
    const by = this.#deciderOf(tool)
    if (!by || (says !== 'allow' && says !== 'deny')) return
    this.#said.push({ tool, says, by })
    if (this.#said.length > most) this.#said.shift()
  }

  /** Of the hooks for this tool, since this was last asked. A refusal beats the rest. */
  take(tool: string): PolicyOpinion | undefined {
    const said = this.#said.filter((one) => one.tool === tool)
    for (const one of said) this.#said.splice(this.#said.indexOf(one), 1)
    const found = said.find(({ says }) => says === 'deny') ?? said[0]
    return found && { says: found.says, by: found.by }
  }

  /** Undefined where none can have said anything. */
  #deciderOf(tool: string): Decider | undefined {
    const asked = this.#hooks.filter(({ matcher }) => this.#matches(matcher, tool))
    const [one] = asked
    if (!one || asked.length === 1) return one && hookDecider(one)
    return { kind: 'hook', hook_name: `${event}: one of ${asked.length} hooks of the machine’s policy` }
  }
}
