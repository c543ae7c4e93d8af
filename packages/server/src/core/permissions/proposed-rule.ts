/** The rules that can be made of a call, and the one that an answer makes. Pure; throws `AppError('invalid_request')`. */
import {
  type Approval,
  type ApprovalAnswer,
  type Covers,
  type ProposedRule,
  type Rule,
  type RuleScope,
  type Saying,
  say,
} from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { fixedFields } from './rule-match.ts'
import type { SeenCall } from './seen-call.ts'
import { canBeAllowedByRule, isMcpTool } from './tool-names.ts'

/** As long as a rule's `match` may be. */
const longestMatch = 100_000

/** Undefined where no rule can answer calls like it. `prefix`: what the CLI proposes for commands like it. */
export function proposedRule(
  { tool, input, subject }: Pick<SeenCall, 'tool' | 'input' | 'subject'>,
  workspaceId: string | undefined,
  prefix?: string,
): ProposedRule | undefined {
  if (!canBeAllowedByRule(tool) || input.dangerouslyDisableSandbox) return undefined
  const exact = subject.length <= longestMatch
  if (!exact && !isMcpTool(tool)) return undefined
  return {
    tool,
    ...(exact && { match: subject }),
    scope: workspaceId === undefined ? 'session' : 'workspace',
    ...(isMcpTool(tool) && { fields: fieldsToFix(input) }),
    ...(tool === 'Bash' && prefix !== undefined && isCommandPrefix(prefix) && { prefix }),
  }
}

/** Those that a person can be shown, and that fit into a rule: clients that validate drop `__proto__`. */
function fieldsToFix(input: Record<string, unknown>): string[] {
  return Object.keys(input).filter(
    (name) => name !== '__proto__' && (fixedFields(input, [name])?.length ?? Infinity) <= longestMatch,
  )
}

/** Plain words and a star at the end: nothing that a shell or the CLI's rules would read as anything else. */
function isCommandPrefix(rule: string): boolean {
  return rule.length <= 200 && /^[\w./@:+-]+( [\w./@:+-]+)* \*$/.test(rule)
}

export type AnsweredRule = Pick<Rule, 'tool' | 'scope'> & Partial<Pick<Rule, 'match' | 'fields' | 'prefix'>>

/** The rule that an answer to this call asks for; undefined where it asks for none. */
export function ruleOfAnswer(
  proposed: ProposedRule | undefined,
  input: Record<string, unknown>,
  answer: ApprovalAnswer,
  from: Pick<Approval, 'session_id' | 'workspace_id'>,
): AnsweredRule | undefined {
  if (answer.decision === 'deny') return undefined
  const { scope, covers } = answer
  if (scope === 'once') {
    if (covers) throw refused('covers', say('rule_once_covers_call'))
    return undefined
  }
  if (!proposed) throw refused('scope', say('rule_impossible'))
  return {
    tool: proposed.tool,
    ...covered(proposed, input, covers ?? { kind: 'call' }),
    scope: scopeOfAnswer(scope, from),
  }
}

function covered(
  { match, fields, prefix }: ProposedRule,
  input: Record<string, unknown>,
  covers: Covers,
): Pick<AnsweredRule, 'match' | 'fields' | 'prefix'> {
  switch (covers.kind) {
    case 'call':
      if (match === undefined) throw refused('covers', say('rule_input_too_long'))
      return { match }
    case 'prefix':
      if (prefix === undefined) throw refused('covers', say('rule_without_prefix'))
      return { match: prefix, prefix: true }
    case 'tool':
      if (!fields) throw refused('covers', say('rule_for_mcp_only'))
      return {}
    case 'fields': {
      const named = [...new Set(covers.fields)].sort()
      const fixed = named.every((name) => fields?.includes(name)) ? fixedFields(input, named) : undefined
      if (fixed === undefined || fixed.length > longestMatch)
        throw refused('covers', say('rule_fields_unfixed'))
      return { match: fixed, fields: named }
    }
  }
}

function scopeOfAnswer(
  scope: 'session' | 'always' | 'everywhere',
  from: Pick<Approval, 'session_id' | 'workspace_id'>,
): RuleScope {
  if (scope === 'everywhere') return { kind: 'everywhere' }
  if (scope === 'session') return { kind: 'session', session_id: from.session_id }
  if (from.workspace_id === undefined) throw refused('scope', say('rule_without_workspace'))
  return { kind: 'workspace', workspace_id: from.workspace_id }
}

function refused(path: string, saying: Saying): AppError {
  return new AppError('invalid_request', saying, { details: [{ path, message: saying.message }] })
}
