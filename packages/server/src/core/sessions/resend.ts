/**
 * A message that is sent again in its place. The conversation goes on from right before it, in a new process; what came of it before is in
 * the transcript, as a branch that was left, and no part of the conversation any more. The order of the steps makes a crash harmless at
 * every point: the branch counts only while a turn is there that takes it, and that turn has not been written down.
 */
import { type MessageContent, say, type Turn } from '@dorkos/shared'
import { type Actor, causeOf } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Agent } from '../ports/agent.ts'
import type { TurnQueue } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { AgentManager } from './agent-manager.ts'
import type { SessionHistory } from './session-history.ts'
import type { SessionRecords } from './session-records.ts'

/** So many turns after the one that takes a branch are looked for in the transcript. */
const branchTurns = 100

/** Where the next process of the session goes on in place of its end; undefined: at its end. */
export async function branchOf(
  record: SessionRecord,
  { turns, agent }: { turns: Pick<TurnQueue, 'list'>; agent: Pick<Agent, 'recorded'> },
): Promise<SessionRecord['branch']> {
  const { branch } = record
  if (!branch) return undefined
  const newestFirst = await turns.list(record.id, { limit: branchTurns })
  const first = newestFirst.find(
    ({ replaces, outcome }) => replaces === branch.replaces && outcome !== 'withdrawn',
  )
  if (!first) return undefined
  const since = newestFirst.filter(({ created_at }) => created_at >= first.created_at).map(({ id }) => id)
  const cliSessionId = branch.at?.cliSessionId ?? record.cliSessionIds.at(-1) ?? record.id
  const written = await agent.recorded(cliSessionId, since)
  return written.size > 0 ? undefined : branch
}

export interface ResendParts {
  manager: AgentManager
  records: SessionRecords
  history: SessionHistory
  turns: TurnQueue
}

/** Resolves when the message is on disk and will run. A turn that runs with it is stopped first. */
export async function resendMessage(
  { manager, records, history, turns }: ResendParts,
  actor: Actor,
  { id, messageId, content }: { id: string; messageId: string; content: MessageContent | undefined },
): Promise<Turn> {
  const record = await records.runnable(actor, id)
  const last = lastMessage(await turns.list(id, { limit: branchTurns }))
  if (last?.id !== messageId) throw new AppError('conflict', say('resend_not_last'))
  const said = content ?? last.content
  if (said === undefined) throw new AppError('conflict', say('resend_without_text'))
  // Its memory holds what is to be left.
  await manager.letGo(id, say('turn_message_resent'), 'person')
  const at = await history.pointBefore(actor, id, messageId)
  const branch = at === undefined ? undefined : { replaces: messageId, at }
  await records.change(id, { branch })
  return manager.sendMessage({ ...record, branch }, said, {
    principal: actor.principal,
    delivery: 'queue',
    cause: causeOf(actor),
    replaces: messageId,
  })
}

/** The newest message that began a turn of its own. */
function lastMessage(newestFirst: readonly Turn[]): Turn | undefined {
  return newestFirst.find(
    ({ cause, state, outcome }) =>
      cause !== 'background' && state !== 'queued' && outcome !== 'joined' && outcome !== 'withdrawn',
  )
}
