/**
 * The CLI's own rules for commands, kept as the core has them at each call: the CLI alone can determine where a command begins and ends. They
 * live in its memory, so that one which was revoked counts no more from the next call on.
 */
import type { PermissionSuggestion } from 'claude-code-agent'
import type { FlagSettings } from './flag-settings.ts'

export class CommandRules {
  readonly #flags: Pick<FlagSettings, 'apply'>
  /** What the CLI has; undefined while that is not sure. */
  #given: string | undefined = ''
  #giving: Promise<unknown> = Promise.resolve()

  constructor(flags: Pick<FlagSettings, 'apply'>) {
    this.#flags = flags
  }

  /** False where the CLI could not be given them: then what it would let run is not known. */
  give(rules: readonly string[]): Promise<boolean> {
    const given = this.#giving.then(() => this.#give(rules))
    this.#giving = given
    return given
  }

  async #give(rules: readonly string[]): Promise<boolean> {
    const wanted = rules.join('\n')
    if (wanted === this.#given) return true
    const before = this.#given
    this.#given = undefined
    try {
      // Laid over the settings of its start: their deny rules stay (2.1.325).
      const allow = rules.map((rule) => `Bash(${rule})`)
      const isGiven = await this.#flags.apply({ permissions: { allow } })
      this.#given = isGiven ? wanted : before
      return isGiven
    } catch {
      return false
    }
  }
}

/** The one rule for commands that the CLI proposes. Where it wants more than that, the rule alone would not keep it from asking. */
export function proposedCommandRule(
  tool: string,
  suggestions: readonly PermissionSuggestion[],
): string | undefined {
  const [suggestion, ...more] = suggestions
  if (
    tool !== 'Bash' ||
    suggestion?.type !== 'addRules' ||
    suggestion.behavior !== 'allow' ||
    more.length > 0
  )
    return undefined
  const [rule, ...others] = suggestion.rules
  return rule?.toolName === 'Bash' && others.length === 0 ? rule.ruleContent : undefined
}
