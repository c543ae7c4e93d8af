/** What a session has cost, as clients see it. */
import type { Budget, SessionCost } from '@dorkos/shared'
import type { Ledger } from '../ports/records.ts'
import { budgetOfEvent, mostPressing } from './budget-state.ts'
import { totalOf } from './ledger-rows.ts'
import type { Figures } from './usage-figures.ts'

/** One without an id runs, and is not in the ledger yet. */
export type TurnFigures = Figures & { turnId?: string; demo: boolean }

/** `spent`: what the ledger says. */
export function sessionCost(
  { usd, tokens, turnId, demo }: TurnFigures,
  spent: { session: number; day: number },
  budgets: readonly Budget[],
): SessionCost {
  const running = turnId === undefined ? usd : 0
  return {
    ...(turnId !== undefined && { turn_id: turnId }),
    turn_usd: usd,
    session_usd: spent.session + running,
    day_usd: spent.day + running,
    tokens,
    demo,
    ...budgetOfEvent(mostPressing(budgets)),
  }
}

/** Of one turn. */
const mostModels = 50

/** The session's newest turn in the ledger, which has all that ended. */
export async function lastTurn(ledger: Ledger, sessionId: string): Promise<TurnFigures | undefined> {
  const rows = await ledger.list({ principal: null, sessionId, limit: mostModels })
  const [newest] = rows
  if (!newest) return undefined
  const { turn_id: turnId, demo } = newest
  return { ...totalOf(rows.filter(({ turn_id }) => turn_id === turnId)), turnId, demo }
}
