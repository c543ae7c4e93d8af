/**
 * What was said, from a transcript, together with what happened around it, from our store: turns with their outcomes,
 * approvals with their answers. A client that loads it sees what one that watched saw.
 */
import type { Approval, LedgerEntry, NewEvent, StreamEvent, TokenCounts, Turn } from '@dorkos/shared'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { limits } from './bounded-value.ts'
import { boundedContent } from './content-blocks.ts'
import { beganAt, isReplaced, locateTurns, ranTurns, startEvent, type TurnSpans } from './history-turns.ts'
import { keptInsertions, withoutKeptHooks } from './kept-insertions.ts'
import {
  eventPosition,
  type PositionedEvent,
  positionsBefore,
  type TranscriptRow,
  transcriptRows,
  withIds,
} from './map-transcript.ts'
import { type SubagentEntries, subagentEvents } from './subagent-events.ts'
import { defined } from './untrusted.ts'

export interface HistoryInput {
  sessionId: string
  /** A page of the transcript, oldest first. */
  entries: readonly TranscriptEntry[]
  turns: readonly Turn[]
  approvals: readonly Approval[]
  ledger?: readonly LedgerEntry[]
  /** Events of the log that nothing else has; none from after these entries. */
  kept?: readonly StreamEvent[]
  /** Of the subagents that began in these entries. */
  subagents?: SubagentEntries | undefined
  /** What subagents said from then on is published elsewhere. */
  subagentsUntil?: string | undefined
  /** Nothing comes before these entries. */
  first: boolean
  /**
   * The time of the first event of the next newer page; undefined when these entries reach the end. With it, what happened
   * at the edge of two pages is in exactly one of them.
   */
  until?: string | undefined
}

/** What happened, to be put in after a row (before all of them: -1), or after one event of it. */
export interface Insertion {
  row: number
  /** After this event of the row; undefined: after the last, or before the first where `before` is set. */
  after?: number
  before?: boolean
  /** The event's own, where it has one. */
  id?: string
  time: string
  event: NewEvent
}

export function buildHistory(whole: HistoryInput): StreamEvent[] {
  const input = withoutReplaced(whole)
  const { first, until } = input
  const unjoined = withoutKeptHooks(transcriptRows(input.entries), input.kept ?? [])
  const rows = joinedMessages(unjoined, input.turns)
  const turns = locateTurns(ranTurns(input.turns), { rows, first, until })
  const calls = callPositions(rows)
  const insertions = [
    ...keptInsertions(input.kept ?? [], { rows, turns, calls, first }),
    ...approvalInsertions(input.approvals, rows, input),
    ...subagentInsertions(rows, input),
    ...turnInsertions(turns, input.ledger ?? []),
    ...tracelessInsertions(turns.traceless, rows, input.ledger ?? []),
  ]
  return withIds(merge(namedMessages(withoutRefusals(rows, turns), turns), insertions), input.sessionId)
}

/** What came of a message that was later sent again in its place: the transcript has left it out already. */
function withoutReplaced(input: HistoryInput): HistoryInput {
  const replaced = isReplaced(input.turns)
  const approvals = input.approvals.filter(({ created_at }) => !replaced(created_at))
  const kept = input.kept?.filter(({ time }) => !replaced(time))
  return {
    ...input,
    approvals,
    ...(kept && { kept }),
    turns: input.turns.filter((turn) => !replaced(beganAt(turn))),
  }
}

/** A message that was taken into a running turn belongs to that one. */
function joinedMessages(rows: TranscriptRow[], turns: readonly Turn[]): TranscriptRow[] {
  const joined = new Map(
    turns.flatMap(({ id, outcome, joined_turn }) => (outcome === 'joined' ? [[id, joined_turn ?? id]] : [])),
  )
  return withTurnIds(rows, (messageId) => joined.get(messageId))
}

function namedMessages(rows: TranscriptRow[], { spans }: TurnSpans): TranscriptRow[] {
  const own = new Set(spans.filter(({ from }) => from !== undefined).map(({ turn }) => turn.id))
  return withTurnIds(rows, (messageId) => (own.has(messageId) ? messageId : undefined))
}

/** What the CLI makes of a call that a budget refused is left out: the turn's end says it. Rows keep their positions. */
function withoutRefusals(rows: TranscriptRow[], { spans }: TurnSpans): TranscriptRow[] {
  const stopped = spans.filter(({ turn }) => turn.outcome === 'budget')
  if (stopped.length === 0) return rows
  const isRefusal = (index: number) =>
    stopped.some(({ from = 0, endsAfter = -1 }) => from <= index && index <= endsAfter)
  return rows.map((row, index) => (row.byCli && isRefusal(index) ? { ...row, events: [] } : row))
}

function withTurnIds(
  rows: TranscriptRow[],
  turnOf: (messageId: string) => string | undefined,
): TranscriptRow[] {
  return rows.map((row) => ({
    ...row,
    events: row.events.map((event) => {
      const turnId = event.type === 'user_message' ? turnOf(event.message_id) : undefined
      return turnId === undefined ? event : { ...event, turn_id: turnId }
    }),
  }))
}

function turnInsertions({ spans }: TurnSpans, ledger: readonly LedgerEntry[]): Insertion[] {
  return spans.flatMap(({ turn, from, endsAfter }) => {
    const insertions: Insertion[] = []
    if (from !== undefined) {
      const event = startEvent(turn)
      insertions.push({ row: from, before: true, time: beganAt(turn), event })
    }
    if (endsAfter !== undefined)
      insertions.push({ row: endsAfter, time: endedAt(turn), event: turnEnd(turn, ledger) })
    return insertions
  })
}

function tracelessInsertions(
  turns: readonly Turn[],
  rows: readonly TranscriptRow[],
  ledger: readonly LedgerEntry[],
): Insertion[] {
  return turns.flatMap((turn) => {
    const row = rowAt(rows, beganAt(turn))
    const said: NewEvent = {
      type: 'user_message',
      message_id: turn.id,
      turn_id: turn.id,
      content: boundedMessage(turn),
    }
    return [
      { row, time: beganAt(turn), event: said },
      { row, time: endedAt(turn), event: turnEnd(turn, ledger) },
    ]
  })
}

const boundedMessage = ({ content = '' }: Turn) =>
  typeof content === 'string' ? content : boundedContent(content, limits.messageChars).blocks

const endedAt = (turn: Turn): string => turn.ended_at ?? beganAt(turn)

/** The last row that is not later than a time; -1 when all are. */
const rowAt = (rows: readonly TranscriptRow[], time: string): number =>
  rows.findLastIndex((row) => row.time <= time)

function turnEnd(turn: Turn, ledger: readonly LedgerEntry[]): NewEvent {
  const costs = ledger.filter(({ turn_id }) => turn_id === turn.id)
  return {
    type: 'turn_end',
    turn_id: turn.id,
    outcome: turn.outcome ?? 'interrupted',
    ...defined({
      reason: turn.reason,
      reason_code: turn.reason_code,
      duration_ms: durationOf(turn, costs),
    }),
    ...(costs.length > 0 && { tokens: sumTokens(costs), usd: costs.reduce((sum, { usd }) => sum + usd, 0) }),
    ...(turn.structured_output !== undefined && { structured_output: turn.structured_output }),
  }
}

/** As it was reported live: by the CLI, which the ledger keeps. Where it said none, by our clock. */
function durationOf(turn: Turn, costs: readonly LedgerEntry[]): number | undefined {
  const reported = costs.find(({ duration_ms }) => duration_ms > 0)?.duration_ms
  if (reported !== undefined || turn.started_at === undefined) return reported
  return Date.parse(endedAt(turn)) - Date.parse(beganAt(turn))
}

function sumTokens(costs: readonly LedgerEntry[]): TokenCounts {
  const sum = (of: (tokens: TokenCounts) => number) =>
    costs.reduce((total, { tokens }) => total + of(tokens), 0)
  return {
    input: sum(({ input }) => input),
    output: sum(({ output }) => output),
    cache_read: sum(({ cache_read }) => cache_read),
    cache_write: sum(({ cache_write }) => cache_write),
  }
}

/** Right after the call that was asked about; what has no call in these rows (a form, a subagent's call), by its time. */
function approvalInsertions(
  approvals: readonly Approval[],
  rows: readonly TranscriptRow[],
  { first, until }: Pick<HistoryInput, 'first' | 'until'>,
): Insertion[] {
  const calls = callPositions(rows)
  const since = rows[0]?.time ?? ''
  return approvals
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at))
    .flatMap((approval) => {
      const call = approval.tool_call_id === undefined ? undefined : calls.get(approval.tool_call_id)
      const inPage =
        (first || approval.created_at >= since) && (until === undefined || approval.created_at < until)
      if (call === undefined && !inPage) return []
      const position = call ?? { row: rowAt(rows, approval.created_at) }
      return approvalEvents(approval).map((dated) => ({ ...position, ...dated }))
    })
}

function callPositions(rows: readonly TranscriptRow[]): Map<string, { row: number; after: number }> {
  const calls = new Map<string, { row: number; after: number }>()
  for (const [row, { events }] of rows.entries())
    for (const [after, event] of events.entries())
      if (event.type === 'tool_call_end') calls.set(event.tool_call_id, { row, after })
  return calls
}

/** Right after the call that began it, wherever its work was done by the clock. */
function subagentInsertions(
  rows: readonly TranscriptRow[],
  { subagents, subagentsUntil }: Pick<HistoryInput, 'subagents' | 'subagentsUntil'>,
): Insertion[] {
  if (!subagents || subagents.size === 0) return []
  const calls = callPositions(rows)
  return [...subagents].flatMap(([toolCallId, entries]) => {
    const position = calls.get(toolCallId)
    if (!position) return []
    return subagentEvents(entries, toolCallId, subagentsUntil).map((dated) => ({ ...position, ...dated }))
  })
}

function approvalEvents(approval: Approval): { time: string; event: NewEvent }[] {
  const { decided_at, decided_by, message, edited, updated_input, scope, rule_id, answer, ...open } = approval
  const isTool = approval.kind === 'tool'
  const asked: NewEvent = {
    type: isTool ? 'approval_required' : 'question_prompt',
    approval: { ...open, state: 'pending' },
  }
  const events = [{ time: approval.created_at, event: asked }]
  if (approval.state === 'pending') return events
  const settled = {
    approval_id: approval.id,
    state: approval.state,
    ...defined({ tool_call_id: approval.tool_call_id, decided_at, decided_by, message }),
  }
  const resolved: NewEvent = isTool
    ? {
        type: 'approval_resolved',
        ...settled,
        ...defined({ edited, updated_input, scope, rule_id: rule_id ?? decided_by?.rule_id }),
      }
    : { type: 'question_resolved', ...settled, ...(answer !== undefined && { answer }) }
  return [...events, { time: decided_at ?? approval.created_at, event: resolved }]
}

/** Rows and insertions in one order, each event with its position. */
function merge(rows: readonly TranscriptRow[], insertions: readonly Insertion[]): PositionedEvent[] {
  const byRow = new Map<number, Insertion[]>()
  for (const insertion of insertions)
    byRow.set(insertion.row, [...(byRow.get(insertion.row) ?? []), insertion])
  const at = (row: number, matches: (insertion: Insertion) => boolean, position: number): PositionedEvent[] =>
    (byRow.get(row) ?? [])
      .filter(matches)
      .map(({ id, time, event }, index) => ({ position: position + index, ...defined({ id }), time, event }))
  const positioned = at(
    -1,
    () => true,
    eventPosition(rows[0]?.offset ?? 0, 0) - positionsBefore + 1,
  ).toSorted(byTime)
  for (const [index, row] of rows.entries()) {
    const start = eventPosition(row.offset, 0)
    positioned.push(...at(index, ({ before }) => before === true, start - positionsBefore / 2))
    for (const [after, event] of row.events.entries()) {
      const position = eventPosition(row.offset, after)
      positioned.push({ position, time: row.time, event })
      positioned.push(...at(index, (insertion) => insertion.after === after, position + 1))
    }
    const last = eventPosition(row.offset, row.events.length - 1)
    const around = at(
      index,
      ({ after, before }) => after === undefined && !before,
      last + positionsBefore / 10,
    )
    positioned.push(...around.toSorted(byTime))
  }
  return positioned
}

const byTime = (a: PositionedEvent, b: PositionedEvent): number => a.time.localeCompare(b.time)
