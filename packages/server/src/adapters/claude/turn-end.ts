/** How a turn ended, in the contract's words. */
import type { TurnEnd } from 'claude-code-agent'
import type { AgentTurnEnd } from '../../core/ports/agent.ts'

export function outcomeAndReason({ outcome, result }: TurnEnd): Pick<AgentTurnEnd, 'outcome' | 'reason'> {
  return { outcome, reason: outcome === 'completed' ? undefined : reasonOf(outcome, result) }
}

function reasonOf(outcome: TurnEnd['outcome'], result: TurnEnd['result']): string {
  if (outcome === 'interrupted') return 'The turn was interrupted.'
  if (outcome === 'structured_output_failed')
    return 'The agent did not produce an answer that fits the schema.'
  if (outcome === 'max_turns') return 'The turn took as many steps as it may.'
  return result.content || 'The turn failed.'
}
