/** Turns and what stands between them: how each ended, and markers of what happened around them. */
import {
  type EventOf,
  isRecord,
  parseEventId,
  type StreamEvent,
  type TurnCause,
  turnCauses,
} from '@dorkos/shared'
import type { MarkerItem, WakingCause } from './page-session.ts'
import { interrupted } from './reduce-tools.ts'
import { ownItems, pushItem, type SessionDraft, settleLast } from './session-draft.ts'
import { numberOf, saidOf, textOf } from './untrusted-field.ts'

type Marker = MarkerItem['marker']

export function onTurnStart(draft: SessionDraft, event: EventOf<'turn_start'>): void {
  const id = textOf(event.turn_id)
  if (id === undefined) return
  dropReplaced(draft, textOf(event.replaces))
  if (!takeUpAgain(draft, id)) dropRepeated(draft, id)
  draft.turn = { id, startedAt: event.time }
  const key = `woken:${id}`
  const { cause } = event
  if (!isWaking(cause) || draft.items.some((item) => item.key === key)) return
  pushItem(ownItems(draft), { kind: 'marker', key, time: event.time, marker: { type: 'woken', cause } })
}

/** A message was sent again in its place: it and all that came of it are no part of the conversation any more. */
function dropReplaced(draft: SessionDraft, turnId: string | undefined): void {
  if (turnId === undefined) return
  const at = draft.items.findLastIndex(({ key }) => key === `user:${turnId}`)
  if (at !== -1) ownItems(draft).splice(at)
}

/** A server of another version may know others: those pass without a word. */
function isWaking(cause: TurnCause): cause is WakingCause {
  return turnCauses.includes(cause) && cause !== 'message' && cause !== 'steer'
}

/** A message that nobody knew the fate of is run after all: it stands where it runs now. */
function takeUpAgain(draft: SessionDraft, turnId: string): boolean {
  const at = unconfirmedAt(draft, turnId)
  if (at === -1) return false
  const own = ownItems(draft)
  own.splice(at, 1)
  const message = own.findLastIndex(({ key }) => key === `user:${turnId}`)
  if (message !== -1) own.push(...own.splice(message, 1))
  return true
}

function unconfirmedAt({ items }: SessionDraft, turnId: string): number {
  const key = `turn:${turnId}`
  return items.findLastIndex(
    (item) => item.key === key && item.kind === 'turn' && item.outcome === 'unconfirmed',
  )
}

/**
 * A page of the history can be ahead of the stream: the beginning of a turn is in it before the stream brings the turn. The
 * stream brings all of it, so only the message itself stays.
 */
function dropRepeated(draft: SessionDraft, turnId: string): void {
  const keys = [`user:${turnId}`, `woken:${turnId}`]
  const at = draft.items.findLastIndex(({ key }) => keys.includes(key))
  if (at !== -1 && at + 1 < draft.items.length) ownItems(draft).splice(at + 1)
}

export function onTurnEnd(draft: SessionDraft, event: EventOf<'turn_end'>): void {
  const turnId = textOf(event.turn_id)
  if (turnId === undefined) return
  const isRunning = draft.turn === undefined || draft.turn.id === turnId
  if (isRunning) {
    cutOff(draft)
    draft.turn = undefined
  }
  // Such a message never had a turn of its own, unless it had one that nobody knew the fate of.
  if (event.outcome === 'withdrawn' || event.outcome === 'joined') return forget(draft, turnId)
  const key = `turn:${turnId}`
  if (draft.items.findLastIndex((item) => item.key === key) !== -1) return
  pushItem(ownItems(draft), {
    kind: 'turn',
    key,
    time: event.time,
    turnId,
    outcome: event.outcome,
    reason: textOf(event.reason),
    reasonCode: event.reason_code,
    said: saidOf(event.said),
    durationMs: numberOf(event.duration_ms),
    tokens: isRecord(event.tokens) ? event.tokens : undefined,
    usd: numberOf(event.usd),
  })
}

/** A person dropped it: as after a reload, nothing of it is there. */
function forget(draft: SessionDraft, turnId: string): void {
  if (unconfirmedAt(draft, turnId) === -1) return
  const keys = [`user:${turnId}`, `turn:${turnId}`]
  const kept = draft.items.filter(({ key }) => !keys.includes(key))
  ownItems(draft).splice(0, draft.items.length, ...kept)
}

/** Nothing of the turn goes on: back to the end of the one before. */
function cutOff(draft: SessionDraft): void {
  const from = draft.items.findLastIndex(({ kind }) => kind === 'turn') + 1
  const tail = interrupted(draft.items.slice(from), () => false)
  const own = ownItems(draft)
  own.splice(from, own.length - from, ...tail)
  settleLast(own)
}

/** Something that happened around the conversation. Its position in the log is its key. */
export function mark(draft: SessionDraft, { id, time }: StreamEvent, marker: Marker): void {
  const own = ownItems(draft)
  const last = own.at(-1)
  const key = `marker:${id}`
  const item: MarkerItem = { kind: 'marker', key, time, marker }
  // A page of the history can be ahead of the stream.
  if (own.findLastIndex((other) => other.key === key) !== -1) return
  // The next of several tries takes the place of the one before.
  const isRepeated = last?.kind === 'marker' && last.marker.type === marker.type && repeating.has(marker.type)
  if (isRepeated) own[own.length - 1] = { ...item, key: last.key }
  else pushItem(own, item)
}

const repeating: ReadonlySet<Marker['type']> = new Set(['retry', 'rate_limit'])

export function onTakenOver(draft: SessionDraft, event: EventOf<'session_taken_over'>): void {
  // The first epoch is the session's own beginning.
  if ((parseEventId(event.id)?.epoch ?? 0) <= 1) return
  // What ran ended with the process that ran it.
  draft.tasks = []
  mark(draft, event, { type: 'taken_over', reason: textOf(event.reason) ?? '' })
}

export function onRateLimit(draft: SessionDraft, event: EventOf<'rate_limit'>): void {
  const status = textOf(event.status) ?? ''
  const { type: _type, id: _id, session: _session, time: _time, detail: _detail, ...limit } = event
  draft.rateLimit = limit
  // What is fine is no news, and of a model that is overloaded the next try reports.
  if (status === 'allowed' || status === 'overloaded') return
  mark(draft, event, {
    type: 'rate_limit',
    status,
    limit: textOf(event.kind),
    resetsAt: textOf(event.resets_at),
    utilization: numberOf(event.utilization),
  })
}

export function onRetry(draft: SessionDraft, event: EventOf<'api_retry'>): void {
  mark(draft, event, {
    type: 'retry',
    attempt: numberOf(event.attempt) ?? 1,
    maxAttempts: numberOf(event.max_attempts),
    delayMs: numberOf(event.delay_ms),
    status: numberOf(event.status),
    message: textOf(event.message),
    waiting: true,
  })
}

/** A call that was denied without anybody being asked shows that itself. */
export function onNotice(draft: SessionDraft, event: EventOf<'notice'>): void {
  if (event.code === 'permission_denied') return
  const level = event.level === 'warning' ? 'warning' : 'info'
  const message = textOf(event.message) ?? ''
  mark(draft, event, {
    type: 'notice',
    level,
    code: textOf(event.code) ?? '',
    message,
    said: saidOf(event.said),
  })
}

export function onHookResult(draft: SessionDraft, event: EventOf<'hook_result'>): void {
  const hook = textOf(event.hook)
  if (hook === undefined) return
  const outcome = hookOutcomes.has(event.outcome) ? event.outcome : 'said'
  mark(draft, event, { type: 'hook', hook, outcome, output: textOf(event.output) ?? '' })
}

const hookOutcomes: ReadonlySet<string> = new Set(['failed', 'cancelled', 'blocked'])
