/**
 * What became of a message whose process is gone. The transcript shows it: a message that is in it was begun, and interrupted.
 * One that was sent but is not there may or may not have reached the CLI; running it again could do its work twice, so a
 * person decides.
 */

import { say } from '@dorkos/shared'
import { inWords } from '../notice.ts'
import type { Agent } from '../ports/agent.ts'
import type { TurnEndRecord } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { EndCause } from './process-session.ts'

export async function outcomeOfLost(
  agent: Agent,
  record: SessionRecord,
  turnId: string,
  { reason, reasonCode }: EndCause,
): Promise<Omit<TurnEndRecord, 'endedAt'>> {
  const cliSessionId = record.cliSessionIds.at(-1) ?? record.id
  const recorded = await agent.recorded(cliSessionId, [turnId])
  if (recorded.has(turnId)) return { outcome: 'interrupted', ...inWords(reason), reasonCode }
  return {
    outcome: 'unconfirmed',
    reasonCode,
    ...inWords(say('turn_unconfirmed', { why: reason })),
  }
}
