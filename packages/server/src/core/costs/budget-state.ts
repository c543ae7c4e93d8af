import type { Budget, NewEvent } from '@dorkos/shared'

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

export function budgetOfEvent(
  budget: Budget | undefined,
): Pick<Extract<NewEvent, { type: 'cost_update' }>, 'budget'> {
  if (!budget) return {}
  const { kind, limit_usd, used_usd, state } = budget
  return { budget: { kind, limit_usd, used: used_usd / limit_usd, reached: state === 'reached' } }
}

export function refusalMessage({ kind, limit_usd, used_usd }: Budget): string {
  const whose = kind === 'day' ? 'The budget of this day' : 'The budget of this session'
  const raise = kind === 'day' ? '`budgets.dayUsd` in the configuration' : 'the budget of the session'
  return `${whose} is used up: ${dollars(used_usd)} of ${dollars(limit_usd)}. Raise ${raise} to go on.`
}

function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`
}
