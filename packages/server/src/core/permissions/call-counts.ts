/** What became of the tool calls of a turn. */
import type { TurnReasonCode } from '@dorkos/shared'

export interface CallCounts {
  ran: number
  denied: number
}

/** Why a turn that completed did nothing all the same: whatever it wanted to do was denied. The CLI calls that a success. */
export function allDenied({
  ran,
  denied,
}: CallCounts): { reason: string; reasonCode: TurnReasonCode } | undefined {
  if (denied === 0 || ran > 0) return undefined
  const reason =
    denied === 1
      ? 'The only tool call of this turn was denied.'
      : `All ${denied} tool calls of this turn were denied.`
  return { reason, reasonCode: 'all_denied' }
}
