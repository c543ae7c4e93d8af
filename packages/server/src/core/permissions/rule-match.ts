import { canonicalJson } from '@dorkos/mcp-gateway'
import type { Rule } from '@dorkos/shared'
import type { SeenCall } from './seen-call.ts'
import { matchesWildcard } from './wildcard.ts'

/** Where a call is made. */
export interface CallScope {
  sessionId: string
  workspace: { id: string; name: string } | undefined
}

/** Whether a rule speaks of this call. An allowing rule is read narrowly, a denying or asking one broadly. */
export function ruleApplies(rule: Rule, call: SeenCall, within: CallScope): boolean {
  return (
    rule.revoked_at === undefined &&
    holdsHere(rule, within) &&
    isForTool(rule, call.tool) &&
    isForSubject(rule, call)
  )
}

/** The rules that hold here and that only the CLI matches: it is given them, and lets run what they are for. */
export function commandRules(rules: readonly Rule[], within: CallScope): Rule[] {
  return rules.filter(
    (rule) =>
      rule.prefix && rule.effect === 'allow' && rule.revoked_at === undefined && holdsHere(rule, within),
  )
}

/** The canonical JSON of these fields of an input; undefined where one of them is missing, or none is named. */
export function fixedFields(input: Record<string, unknown>, fields: readonly string[]): string | undefined {
  if (fields.length === 0 || !fields.every((name) => Object.hasOwn(input, name))) return undefined
  return canonicalJson(Object.fromEntries(fields.map((name) => [name, input[name]])))
}

/** A rule of the configuration names its workspace by name, one of the store by id. */
function holdsHere({ scope, origin }: Rule, { sessionId, workspace }: CallScope): boolean {
  if (scope.kind === 'everywhere') return true
  if (scope.kind === 'session') return scope.session_id === sessionId
  const named = origin === 'configuration' ? workspace?.name : workspace?.id
  return named !== undefined && scope.workspace_id === named
}

function isForTool(rule: Rule, tool: string): boolean {
  return rule.pattern ? matchesWildcard(rule.tool, tool) : rule.tool === tool
}

function isForSubject(rule: Rule, call: SeenCall): boolean {
  const { match } = rule
  // Nothing of ours takes commands apart.
  if (rule.prefix) return false
  // The same command outside of the sandbox is another one.
  if (rule.effect === 'allow' && call.input.dangerouslyDisableSandbox) return false
  if (rule.fields) {
    const fixed = fixedFields(call.input, rule.fields)
    return fixed !== undefined && fixed === match
  }
  if (rule.effect !== 'allow') {
    if (match === undefined) return true
    return call.subjects.some((subject) =>
      rule.pattern ? matchesWildcard(match, subject) : match === subject,
    )
  }
  if (match === undefined) return true
  if (!rule.pattern) return match === call.subject
  return matchesWildcard(match, call.subject, call.tool === 'Bash' ? isPlain : undefined)
}

/** Characters with which a shell command can become a second one: the star of an allowing rule never stands for them. */
const special = new Set(';&|<>$`(){}\\\n\r')

function isPlain(character: string): boolean {
  return !special.has(character)
}
