/** What became of an approval, in words. Pure. */
import {
  type AllowScope,
  type Approval,
  type ApprovalKind,
  type Decider,
  standardDenials,
} from '@dorkos/shared'
import type { Decision } from '../live/page-session.ts'
import { serverWords } from '../text/server-words.ts'
import { text } from '../text/text.ts'
import type { Tone } from '../ui/notice.tsx'

/** Undefined while it is pending. */
export function decisionOf(approval: Approval): Decision | undefined {
  if (approval.state === 'pending') return undefined
  return {
    state: approval.state,
    by: approval.decided_by,
    time: approval.decided_at ?? approval.created_at,
    message: approval.message,
    said: approval.said,
    edited: approval.edited ?? false,
    updatedInput: approval.updated_input,
    scope: approval.scope,
    answer: approval.answer,
  }
}

/** With the input that ran, where it is not the one that was asked about. */
export function asItRan(approval: Approval): Approval {
  return approval.updated_input === undefined ? approval : { ...approval, input: approval.updated_input }
}

export interface DecisionWords {
  tone: Tone
  /** "Allowed", "Denied" … */
  verb: string
  /** "by Laptop", "for this session": what follows the verb, in order. */
  parts: string[]
  /** The message to the agent, or why it is void. */
  message: string | undefined
}

export function decisionWords(
  decision: Decision,
  kind: ApprovalKind = 'tool',
  scope: AllowScope | undefined = decision.scope,
): DecisionWords {
  const { decision: t } = text.approvals
  const { state, by, message, edited } = decision
  if (state === 'expired') return { tone: 'warn', verb: t.expired, parts: [], message: t.expiredMeans }
  if (state === 'void') {
    const why = message === undefined ? undefined : serverWords(decision.said, message)
    return { tone: 'neutral', verb: t.void, parts: [], message: why }
  }
  if (state === 'pending')
    return { tone: 'attention', verb: text.approvals.inbox.states.pending, parts: [], message }
  const who = deciderWords(by)
  const parts = who === undefined ? [] : [who]
  if (state === 'denied')
    return {
      ...denial(kind, by),
      parts,
      message: isStandard(message) ? undefined : message,
    }
  if (scope !== undefined && kind === 'tool') parts.push(t[scope])
  if (edited) parts.push(t.edited)
  return { tone: 'ok', verb: allowedVerb(kind), parts, message: undefined }
}

/** Nobody wrote it. */
function isStandard(message: string | undefined): boolean {
  return Object.values(standardDenials).some((standard) => standard === message)
}

function allowedVerb(kind: ApprovalKind): string {
  const { decision: t } = text.approvals
  if (kind === 'plan') return t.approved
  return kind === 'tool' ? t.allowed : t.answered
}

function denial(kind: ApprovalKind, by: Decider | undefined): Pick<DecisionWords, 'tone' | 'verb'> {
  const { decision: t } = text.approvals
  // Who reads a plan and wants another one refuses nothing.
  if (kind === 'plan' && by?.kind === 'person') return { tone: 'neutral', verb: t.sentBack }
  return { tone: 'denied', verb: kind === 'question' || kind === 'elicitation' ? t.declined : t.denied }
}

/** "by Laptop", "by a rule" … */
function deciderWords(by: Decider | undefined): string | undefined {
  const { decision: t } = text.approvals
  if (!by) return undefined
  if (by.kind === 'person') return t.by(by.token_name ?? by.principal ?? t.somebody)
  if (by.kind === 'rule' && by.rule_name !== undefined) return t.ownRule
  return t[by.kind]
}
