/** What hooks say about a tool call, against what is decided without them. Deny beats ask beats allow. Pure. */
import type { Decider } from '@dorkos/shared'
import type { HookOpinion } from '../hooks/session-hooks.ts'
import type { ToolCallVerdict } from '../ports/agent.ts'
import type { Decision } from './decide.ts'

export interface WeighedVerdict {
  verdict: ToolCallVerdict
  /** Who decided, where it is decided. */
  by: Decider | undefined
}

/** Before anything is asked. What asks by a rule, or always, is not allowed by a hook. */
export function weighHooks(own: WeighedVerdict, opinions: readonly HookOpinion[]): WeighedVerdict {
  const refusal = refusalOf(opinions)
  if (refusal) return { verdict: { verdict: 'deny', message: refusal.message }, by: refusal.by }
  const context = opinions.flatMap((opinion) => opinion.context ?? []).join('\n')
  const more = context === '' ? {} : { context }
  if (own.verdict.verdict !== 'pass') return { ...own, verdict: { ...own.verdict, ...more } }
  const asks = opinions.find(({ says }) => says === 'ask')
  if (asks)
    return { verdict: { verdict: 'ask', reason: asks.reason ?? 'A hook asks.', ...more }, by: undefined }
  const allows = opinions.find(({ says }) => says === 'allow')
  if (allows)
    return {
      verdict: { verdict: 'allow', reason: allows.reason ?? 'A hook allows it.', ...more },
      by: allows.by,
    }
  return { ...own, verdict: { ...own.verdict, ...more } }
}

/** For a call that would be put to a person now. */
export function decideByHooks(
  asks: Extract<Decision, { kind: 'ask' }>,
  opinions: readonly HookOpinion[],
): Decision {
  const refusal = refusalOf(opinions)
  if (refusal) return { kind: 'deny', ...refusal }
  const allows = opinions.find(({ says }) => says === 'allow')
  const isContested = opinions.some(({ says }) => says === 'ask')
  return allows && !isContested && !asks.forPerson ? { kind: 'allow', by: allows.by } : asks
}

/** A hook that wants another input to run refuses the one that is there: what runs is what was checked. */
function refusalOf(opinions: readonly HookOpinion[]): { by: Decider; message: string } | undefined {
  const refuses = opinions.find(({ says }) => says === 'deny')
  if (refuses) return { by: refuses.by, message: refuses.reason ?? 'A hook refused this call.' }
  const rewrites = opinions.find((opinion) => opinion.rewrites)
  return rewrites && { by: rewrites.by, message: rewritesMessage }
}

const rewritesMessage =
  'A hook wanted to run something else in place of this call. DorkOS runs only what was looked at, so the call was denied.'
