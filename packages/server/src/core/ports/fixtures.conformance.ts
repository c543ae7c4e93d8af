/** What the conformance suites are run on, and what they are made of. */
import { randomUUID } from 'node:crypto'
import type { Approval, NewEvent, Rule, StreamEvent } from '@dorkos/shared'
import type { Clock } from './clock.ts'
import type { AppendBatch, Coordination, LeaseGrant, LeaseOwner, NewTurn } from './coordination.ts'
import type { TokenRecord } from './records.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

export interface CoordinationSubject {
  coordination: Coordination
  /** Closes the store and opens it again, for adapters that keep what was written. */
  reopen?(): Promise<Coordination>
  close(): Promise<void>
}

export type OpenCoordination = (clock: Clock) => Promise<CoordinationSubject>

export function createManualClock(start = Date.parse('2025-06-01T12:00:00.000Z')): ManualClock {
  let passed = 0
  return {
    now: () => start + passed,
    monotonic: () => 1_000_000 + passed,
    after: () => () => undefined,
    advance(ms) {
      passed += ms
    },
  }
}

export const newSessionId = (): string => randomUUID()
export const time = '2025-06-01T12:00:00.000Z'

export function textEvent(text: string): NewEvent {
  return { type: 'text_delta', message_id: 'msg_1', index: 0, text }
}

export function batchOf(
  grant: LeaseGrant,
  firstSeq: number,
  texts: string[],
  eventTime: string = time,
): AppendBatch {
  return {
    sessionId: grant.sessionId,
    epoch: grant.epoch,
    firstSeq,
    events: texts.map((text) => ({ time: eventTime, event: textEvent(text) })),
  }
}

/** Appends one batch; throws what the log refused it with. */
export async function append(
  { events }: Coordination,
  grant: LeaseGrant,
  firstSeq: number,
  texts: string[],
  eventTime?: string,
): Promise<StreamEvent[]> {
  const [result] = await events.append([batchOf(grant, firstSeq, texts, eventTime)])
  if (result?.status !== 'fulfilled') throw result?.reason
  return result.value
}

export async function acquire(
  { leases }: Coordination,
  sessionId: string,
  owner: LeaseOwner = 'server-a/1',
): Promise<LeaseGrant> {
  const grant = await leases.acquire(sessionId, owner, 60_000, 'test')
  if (!grant) throw new Error('the lease is held by another')
  return grant
}

/** The ids and texts of events, which is all that most tests are about. */
export function brief(events: StreamEvent[]): string[] {
  return events.map((event) => (event.type === 'text_delta' ? `${event.id} ${event.text}` : event.id))
}

export function newTurn(sessionId: string, content: string, more: Partial<NewTurn> = {}): NewTurn {
  return {
    id: randomUUID(),
    sessionId,
    cause: 'message',
    content,
    principal: 'owner',
    createdAt: time,
    ...more,
  }
}

export function newApproval(sessionId: string, more: Partial<Approval> = {}): Approval {
  return {
    id: `apr_${randomUUID().replaceAll('-', '')}`,
    kind: 'tool',
    session_id: sessionId,
    principal: 'owner',
    tool: 'Bash',
    input: { command: 'ls \u0000 \ud800' },
    input_hash: 'hash-of-input',
    risk: 'execute',
    state: 'pending',
    created_at: time,
    deadline: '2025-06-01T16:00:00.000Z',
    ...more,
  }
}

/** What waits, in the order it will run. */
export async function contents({ turns }: Coordination, sessionId: string): Promise<unknown[]> {
  return (await turns.queued(sessionId)).map(({ content }) => content)
}

/** A session with an owner and these messages waiting. */
export async function queueOf(coordination: Coordination, ...messages: string[]) {
  const grant = await acquire(coordination, newSessionId())
  const ids: string[] = []
  for (const content of messages) {
    const { turn } = await coordination.turns.admit(newTurn(grant.sessionId, content))
    ids.push(turn.id)
  }
  return { ...grant, ids, id: (index: number) => ids[index] ?? '' }
}

export const later = '2025-06-02T00:00:00.000Z'
export const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

export const newRule = (more: Partial<Rule> = {}): Rule => ({
  id: newId('rule'),
  effect: 'allow',
  tool: 'Bash',
  match: 'ls \u0000',
  scope: { kind: 'everywhere' },
  origin: 'api',
  principal: 'owner',
  created_at: time,
  ...more,
})

export const newToken = (): TokenRecord => ({
  id: newId('tok'),
  name: 'laptop',
  scopes: ['read', 'chat'],
  principal: 'owner',
  kind: 'browser',
  created_at: time,
  hash: randomUUID(),
})
