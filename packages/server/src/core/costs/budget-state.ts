import { type Budget, type Saying, type SessionCost, say } from '@dorkos/shared'

/** A limit of 0 is none. */
export function budgetOf(
  kind: Budget['kind'],
  limitUsd: number,
  usedUsd: number,
  warnAt: number,
  sessionId?: string,
): Budget | undefined {
  if (!(limitUsd > 0)) return undefined
  const part = usedUsd / limitUsd
  return {
    kind,
    ...(sessionId !== undefined && { session_id: sessionId }),
    limit_usd: limitUsd,
    used_usd: usedUsd,
    state: part >= 1 ? 'reached' : part >= warnAt ? 'warning' : 'ok',
  }
}

/** The one to speak of: the fullest that is at least at its warning. */
export function mostPressing(budgets: readonly Budget[]): Budget | undefined {
  return budgets
    .filter(({ state }) => state !== 'ok')
    .toSorted((a, b) => b.used_usd / b.limit_usd - a.used_usd / a.limit_usd)[0]
}

export function budgetOfEvent(budget: Budget | undefined): Pick<SessionCost, 'budget'> {
  if (!budget) return {}
  const { kind, limit_usd, used_usd, state } = budget
  return { budget: { kind, limit_usd, used: used_usd / limit_usd, reached: state === 'reached' } }
}

const severity: Record<Budget['state'], number> = { ok: 0, warning: 1, reached: 2 }

export function isWorse({ state }: Budget, before: Budget['state'] = 'ok'): boolean {
  return severity[state] > severity[before]
}

/** Of what people were warned. */
export function warningKey({ kind, session_id }: Budget): string {
  return kind === 'day' ? 'day' : `session:${session_id}`
}

/** Why a turn may not go on: in words for people, and for programs. */
export interface BudgetRefusal {
  reason: Saying
  reasonCode: 'session_budget' | 'day_budget'
}

export function refusalFor({ kind, limit_usd, used_usd }: Budget): BudgetRefusal {
  const isDay = kind === 'day'
  const spent = { used: dollars(used_usd), limit: dollars(limit_usd) }
  return {
    reason: isDay ? say('budget_of_day_used', spent) : say('budget_of_session_used', spent),
    reasonCode: isDay ? 'day_budget' : 'session_budget',
  }
}

/** Cents, and of what is less than one dollar two figures that count at least: nothing that was spent is shown as nothing. */
function dollars(usd: number): string {
  if (usd >= 1 || !(usd > 0)) return `$${usd.toFixed(2)}`
  const digits = Math.max(2, 1 - Math.floor(Math.log10(usd)))
  return `$${usd.toFixed(Math.min(digits, 20)).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}
