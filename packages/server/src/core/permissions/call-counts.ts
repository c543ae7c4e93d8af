/** What became of the tool calls of a turn. */
import { type Saying, say, type TurnReasonCode } from '@dorkos/shared'

export interface CallCounts {
  ran: number
  denied: number
}

/** Why a turn that completed did nothing all the same: whatever it wanted to do was denied. The CLI calls that a success. */
export function allDenied({
  ran,
  denied,
}: CallCounts): { reason: Saying; reasonCode: TurnReasonCode } | undefined {
  if (denied === 0 || ran > 0) return undefined
  return { reason: say('turn_calls_denied', { calls: denied }), reasonCode: 'all_denied' }
}
