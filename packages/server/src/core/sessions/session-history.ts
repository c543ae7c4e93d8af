/** What was said in a session, from its transcript, together with what happened around it, from our store. */
import { type Approval, type HistoryPage, type Session, type StreamEvent, say } from '@dorkos/shared'
import { z } from 'zod'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { buildHistory } from '../event-map/build-history.ts'
import { isUnasked } from '../event-map/kept-insertions.ts'
import { maxSubagentEvents, type SubagentEntries, subagentCalls } from '../event-map/subagent-events.ts'
import { isoTime } from '../ports/clock.ts'
import type { Coordination } from '../ports/coordination.ts'
import type { Ledger, SessionStore } from '../ports/records.ts'
import type { TranscriptEntry, TranscriptReader } from '../ports/transcripts.ts'
import type { SessionDirectory } from './session-directory.ts'
import { type Origin, type PointBefore, SessionTranscript } from './session-transcript.ts'

const around = 500
/** On one page; more are shown without their words. */
const maxSubagents = 30
/** On one page; the oldest of more are left out. */
const maxKept = 2000
/** Of a fork; what was decided before them is left out. */
const maxAncestors = 20

export class SessionHistory {
  readonly #transcripts: TranscriptReader
  readonly #transcript: SessionTranscript
  readonly #coordination: Coordination
  readonly #directory: SessionDirectory
  readonly #ledger: Ledger
  readonly #sessions: Pick<SessionStore, 'get'>

  constructor(parts: {
    transcripts: TranscriptReader
    coordination: Coordination
    directory: SessionDirectory
    ledger: Ledger
    sessions: Pick<SessionStore, 'get'>
  }) {
    this.#transcripts = parts.transcripts
    this.#transcript = new SessionTranscript(parts)
    this.#coordination = parts.coordination
    this.#directory = parts.directory
    this.#ledger = parts.ledger
    this.#sessions = parts.sessions
  }

  /**
   * Pages from the end. `before` is a cursor of an earlier page, or `turn:<id>` of a snapshot: then the page ends where that
   * turn, which the snapshot holds itself, begins.
   */
  async page(
    actor: Actor,
    sessionId: string,
    { before, limit }: { before?: string | undefined; limit: number },
  ): Promise<HistoryPage> {
    const session = await this.#directory.get(actor, sessionId)
    const cliIds = await this.#transcript.cliSessions(session)
    const from = await this.#startOf(sessionId, before, cliIds)
    const page = await this.#transcript.page(sessionId, from, limit)
    const entries = from.turnId === undefined ? page.entries : upTo(page.entries, from.turnId)
    const index = cliIds.indexOf(from.cliId)
    const first = page.before === undefined && index <= 0
    const [turns, approvals, kept, inherited, ledger, subagents] = await Promise.all([
      // A page has at most one turn per message, and what lies at its edges.
      this.#coordination.turns.list(sessionId, { limit: limit + 20, ...untilOf(from) }),
      this.#coordination.approvals.list({
        principal: null,
        sessionId,
        limit: 2 * limit + 100,
        ...untilOf(from),
      }),
      this.#kept(session, from, first ? undefined : entries),
      this.#inherited(session.forked_from, entries, limit),
      this.#ledger.list({ principal: null, sessionId, limit: 1000 }),
      this.#subagents(from.cliId, entries),
    ])
    const shown = turns.filter(({ id }) => id !== from.turnId)
    const events = buildHistory({
      sessionId,
      entries,
      turns: shown,
      approvals: [...inherited.approvals, ...approvals],
      kept: [...inherited.allowances, ...kept],
      ledger,
      subagents,
      // One that works on while a turn runs is in that turn, which the snapshot holds.
      subagentsUntil: from.turnId === undefined ? undefined : from.until,
      first,
      until: from.until,
    })
    if (first) return { events }
    const until = events[0]?.time ?? from.until ?? ''
    const next = page.before === undefined ? { index: index - 1, cursor: '' } : { index, cursor: page.before }
    return { events, before: writeCursor({ ...next, until }) }
  }

  /** What was decided in the session that this one was forked from, about calls that both have. */
  async #inherited(
    source: string | undefined,
    entries: readonly TranscriptEntry[],
    limit: number,
  ): Promise<{ approvals: Approval[]; allowances: StreamEvent[] }> {
    const calls = source === undefined ? new Set<string>() : toolCallIds(entries)
    const found = { approvals: [] as Approval[], allowances: [] as StreamEvent[] }
    const size = () => found.approvals.length + found.allowances.length
    const { approvals, events } = this.#coordination
    // A fork may be one of a fork.
    let id = source
    for (let seen = 0; id !== undefined && seen < maxAncestors && size() < calls.size; seen++) {
      const asked = await approvals.list({ principal: null, sessionId: id, limit: 2 * limit + 100 })
      found.approvals.push(
        ...asked.filter((one) => one.state !== 'pending' && calls.has(one.tool_call_id ?? '')),
      )
      const unasked = await events.kept(id, { limit: maxKept })
      found.allowances.push(...unasked.filter((one) => isUnasked(one) && calls.has(one.tool_call_id)))
      id = (await this.#sessions.get(id))?.forkedFrom
    }
    return found
  }

  /** What only the log has, up to where the page ends. `entries`: what it begins with, if that is not the beginning. */
  async #kept(
    { id }: Session,
    { turnId, until }: HistoryStart,
    entries: readonly TranscriptEntry[] | undefined,
  ): Promise<StreamEvent[]> {
    const { events } = this.#coordination
    const begun = turnId === undefined ? undefined : await events.latest(id, 'turn_start')
    // The snapshot has all from there on.
    const end = begun?.type === 'turn_start' && begun.turn_id === turnId ? begun.time : until
    return events.kept(id, { from: entries && startOf(entries), until: end, limit: maxKept })
  }

  async #subagents(cliId: string, entries: readonly TranscriptEntry[]): Promise<SubagentEntries> {
    const found = new Map<string, TranscriptEntry[]>()
    for (const { toolCallId, agentId } of subagentCalls(entries).slice(-maxSubagents))
      found.set(toolCallId, await this.#transcripts.subagent(cliId, agentId, maxSubagentEvents))
    return found
  }

  async #startOf(sessionId: string, before: string | undefined, cliIds: string[]): Promise<HistoryStart> {
    const newest = cliIds.at(-1) ?? sessionId
    if (before === undefined) return { cliId: newest }
    if (before.startsWith('turn:')) {
      const turnId = before.slice('turn:'.length)
      const turn = await this.#coordination.turns.get(sessionId, turnId)
      return { cliId: newest, turnId, until: turn?.started_at ?? turn?.created_at }
    }
    const { index, cursor, until } = readCursor(before)
    const cliId = cliIds[index]
    if (cliId === undefined) throw notOurs()
    return { cliId, cursor: cursor === '' ? undefined : cursor, until: until === '' ? undefined : until }
  }

  /** Where a fork of the session begins: at the message, else at its end. */
  forkPoint(actor: Actor, sessionId: string, messageId: string | undefined): Promise<Origin> {
    return this.#transcript.forkPoint(actor, sessionId, messageId)
  }

  /** Where a fork begins that ends right before a message; undefined: with nothing. */
  async forkPointBefore(actor: Actor, sessionId: string, messageId: string): Promise<Origin | undefined> {
    return this.#transcript.forkPointBefore(actor, sessionId, messageId)
  }

  /** What the conversation has right before a message of this session; null: nothing. Undefined when no transcript has that message. */
  pointBefore(actor: Actor, sessionId: string, messageId: string): Promise<PointBefore> {
    return this.#transcript.pointBefore(actor, sessionId, messageId)
  }

  /** All of it, oldest first. Pages come from the end, so their cursors are collected first and then walked back. */
  async *everything(actor: Actor, sessionId: string): AsyncGenerator<StreamEvent> {
    const pages: (string | undefined)[] = [undefined]
    for (;;) {
      const cursor = pages.at(-1)
      const { before } = await this.page(actor, sessionId, { limit: around, before: cursor })
      if (before === undefined) break
      pages.push(before)
    }
    for (const before of pages.toReversed())
      yield* (await this.page(actor, sessionId, { limit: around, before })).events
  }
}

function toolCallIds(entries: readonly TranscriptEntry[]): Set<string> {
  const ids = new Set<string>()
  for (const { entry } of entries) {
    const parsed = callsSchema.safeParse(entry.message)
    for (const block of parsed.success ? parsed.data.content : [])
      if (block.type === 'tool_use' && block.id !== undefined) ids.add(block.id)
  }
  return ids
}

const callsSchema = z.object({
  content: z.array(z.object({ type: z.string(), id: z.string().optional() })),
})

/** Not later than the first of these; what comes before them is sorted out by its time. */
function startOf(entries: readonly TranscriptEntry[]): string | undefined {
  const time = entries.map(({ entry }) => Date.parse(String(entry.timestamp))).find(Number.isFinite)
  return time === undefined ? undefined : isoTime(time - 60_000)
}

/** Where a page ends. A session whose CLI changed its id (`/clear`) has several transcripts. */
interface HistoryStart {
  cliId: string
  cursor?: string | undefined
  /** When the next newer page begins: what happened at the edge is in exactly one of them. */
  until?: string | undefined
  /** The page ends where this turn begins. */
  turnId?: string
}

function writeCursor({ index, cursor, until }: { index: number; cursor: string; until: string }): string {
  return Buffer.from(JSON.stringify([index, until, cursor])).toString('base64url')
}

function readCursor(text: string): { index: number; cursor: string; until: string } {
  try {
    const [index, until, cursor] = cursorSchema.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    )
    return { index, until, cursor }
  } catch {
    throw notOurs()
  }
}

const cursorSchema = z.tuple([z.number().int().min(0), z.string().max(40), z.string().max(200)])

function notOurs(): AppError {
  return new AppError('invalid_request', say('cursor_foreign'))
}

function untilOf({ until }: HistoryStart): { until?: string } {
  return until === undefined ? {} : { until }
}

function upTo(entries: TranscriptEntry[], uuid: string): TranscriptEntry[] {
  const index = entries.findIndex(({ entry }) => entry.uuid === uuid)
  return index < 0 ? entries : entries.slice(0, index)
}
