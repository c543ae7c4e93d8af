/** Which rule a lasting answer makes, while it is chosen. Pure. */
import type { AllowScope, Approval, ApprovalAnswer, Covers } from '@dorkos/shared'
import { text } from '../text/card-text.ts'
import { callView, toolName } from './call-view.ts'

export type RuleScopeChoice = Exclude<AllowScope, 'once'>

export interface RuleChoice {
  kind: Covers['kind']
  /** The fields that stay the same, where `kind` is `fields`. */
  fields: readonly string[]
  scope: RuleScopeChoice
}

type Asked = Pick<Approval, 'tool' | 'input' | 'proposed_rule' | 'workspace_id'>

/** What a rule of this call can be for, the narrowest first. */
export function offeredKinds({ proposed_rule: rule }: Asked): Covers['kind'][] {
  return [
    ...(rule?.match !== undefined ? (['call'] as const) : []),
    ...(rule?.fields?.length ? (['fields'] as const) : []),
    ...(rule?.prefix !== undefined ? (['prefix'] as const) : []),
    ...(rule?.fields ? (['tool'] as const) : []),
  ]
}

export function offeredScopes({ workspace_id }: Asked): RuleScopeChoice[] {
  return workspace_id === undefined ? ['session', 'everywhere'] : ['session', 'always', 'everywhere']
}

export function firstChoice(approval: Asked): RuleChoice {
  return {
    kind: offeredKinds(approval)[0] ?? 'call',
    fields: [],
    scope: approval.workspace_id === undefined ? 'session' : 'always',
  }
}

/** Undefined while it is not said which fields stay the same. */
export function answerOf({ kind, fields, scope }: RuleChoice): ApprovalAnswer | undefined {
  if (kind !== 'fields') return { decision: 'allow', scope, covers: { kind } }
  if (fields.length === 0) return undefined
  return { decision: 'allow', scope, covers: { kind, fields: [...fields] } }
}

/** What is to be chosen, in a few words. */
export function kindWords(kind: Covers['kind'], approval: Asked): string {
  const { kinds } = text.approvals.always
  if (kind === 'prefix') return kinds.prefix(prefixOf(approval))
  if (kind === 'tool') return kinds.tool(toolName(approval.tool).name)
  if (kind === 'fields') return kinds.fields
  const view = callView(approval).kind
  if (view === 'command') return kinds.command
  return view === 'other' ? kinds.call : kinds.file(approval.tool)
}

/** Everything that the rule will let run, in a sentence. */
export function choiceWords(choice: RuleChoice, approval: Asked, workspace: string | undefined): string {
  const t = text.approvals.always
  const what = coveredWords(choice, approval)
  return t.means(what, t.where[choice.scope](workspace))
}

function coveredWords({ kind, fields }: RuleChoice, approval: Asked): string {
  const t = text.approvals.always
  const { name } = toolName(approval.tool)
  if (kind === 'fields') return t.withFields(name, fields)
  return kind === 'tool' ? t.withAny(name) : kindWords(kind, approval)
}

/** As it begins: `npm test *` is for `npm test`. */
function prefixOf({ proposed_rule }: Asked): string {
  return proposed_rule?.prefix?.replace(/ \*$/, '') ?? ''
}
