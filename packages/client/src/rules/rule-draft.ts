/** A rule while it is written, and what is sent of it. Pure. */
import type { EndpointBody, Rule, RuleScope } from '@dorkos/shared'
import { text } from '../text/page-text.ts'

export interface RuleDraft {
  effect: Rule['effect']
  tool: string
  /** Empty: every call. */
  match: string
  scope: RuleScope['kind']
  workspaceId: string
  sessionId: string
}

export const newRuleDraft: RuleDraft = {
  effect: 'deny',
  tool: '',
  match: '',
  scope: 'everywhere',
  workspaceId: '',
  sessionId: '',
}

export function draftOfRule({ effect, tool, match = '', scope }: Rule): RuleDraft {
  return {
    effect,
    tool,
    match,
    scope: scope.kind,
    workspaceId: scope.kind === 'workspace' ? scope.workspace_id : '',
    sessionId: scope.kind === 'session' ? scope.session_id : '',
  }
}

/** What it is for was chosen on a card: the server lets only its effect and its scope be changed. */
export function isChosenOnCard({ fields, prefix }: Rule): boolean {
  return fields !== undefined || prefix === true
}

export type RuleFaults = Partial<Record<'tool' | 'match' | 'scope', string>>

/** `before`: the rule that is edited. The server cannot take a `match` away again. */
export function ruleFaults(draft: RuleDraft, before?: Rule): RuleFaults {
  const { faults, matchFixed } = text.rules
  const tool = draft.tool.trim()
  return {
    ...(tool === '' && { tool: faults.tool }),
    ...(tool.includes('*') && { tool: faults.star }),
    ...(draft.match === '' && before?.match !== undefined && { match: matchFixed }),
    ...(draft.scope === 'workspace' && draft.workspaceId === '' && { scope: faults.workspace }),
    ...(draft.scope === 'session' && draft.sessionId === '' && { scope: faults.session }),
  }
}

export function ruleOf(draft: RuleDraft): EndpointBody<'createRule'> {
  return {
    effect: draft.effect,
    tool: draft.tool.trim(),
    ...(draft.match !== '' && { match: draft.match }),
    scope: scopeOf(draft),
  }
}

function scopeOf({ scope, workspaceId, sessionId }: RuleDraft): RuleScope {
  if (scope === 'workspace') return { kind: scope, workspace_id: workspaceId }
  if (scope === 'session') return { kind: scope, session_id: sessionId }
  return { kind: 'everywhere' }
}

/** Those that hold first; deny, ask, allow, as they beat each other; then by tool, the newest first. */
export function sortRules(rules: readonly Rule[]): Rule[] {
  const rank = { deny: 0, ask: 1, allow: 2 }
  return rules.toSorted(
    (a, b) =>
      Number(a.revoked_at !== undefined) - Number(b.revoked_at !== undefined) ||
      rank[a.effect] - rank[b.effect] ||
      a.tool.localeCompare(b.tool) ||
      Date.parse(b.created_at) - Date.parse(a.created_at),
  )
}
