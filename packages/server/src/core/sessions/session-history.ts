/** What was said in a session, from its transcript, together with what happened around it, from our store. */
import type { Approval, HistoryPage, StreamEvent } from '@dorkos/shared'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { buildHistory } from '../event-map/build-history.ts'
import { exportFileName, renderJson, renderMarkdown } from '../event-map/render-export.ts'
import { maxSubagentEvents, type SubagentEntries, subagentCalls } from '../event-map/subagent-events.ts'
import type { Coordination } from '../ports/coordination.ts'
import type { Ledger, SessionRecord, SessionStore } from '../ports/records.ts'
import type { TranscriptEntry, TranscriptPage, TranscriptReader } from '../ports/transcripts.ts'
import type { SessionDirectory } from './session-directory.ts'

const around = 500
/** On one page; more are shown without their words. */
const maxSubagents = 30

export class SessionHistory {
  readonly #transcripts: TranscriptReader
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
    sessionId: string,
    { before, limit }: { before?: string | undefined; limit: number },
  ): Promise<HistoryPage> {
    const session = await this.#directory.get(sessionId)
    const cliIds = session.cli_session_ids.length > 0 ? session.cli_session_ids : [sessionId]
    const from = await this.#placeOf(sessionId, before, cliIds)
    const page = await this.#read(sessionId, from, limit)
    const entries = from.turnId === undefined ? page.entries : upTo(page.entries, from.turnId)
    const [turns, approvals, inherited, ledger, subagents] = await Promise.all([
      // A page has at most one turn per message, and what lies at its edges.
      this.#coordination.turns.list(sessionId, { limit: limit + 20, ...untilOf(from) }),
      this.#coordination.approvals.list({ sessionId, limit: 2 * limit + 100, ...untilOf(from) }),
      this.#inherited(session.forked_from, entries, limit),
      this.#ledger.list({ sessionId, limit: 1000 }),
      this.#subagents(from.cliId, entries),
    ])
    const index = cliIds.indexOf(from.cliId)
    const first = page.before === undefined && index <= 0
    const shown = turns.filter(({ id }) => id !== from.turnId)
    const events = buildHistory({
      sessionId,
      entries,
      turns: shown,
      approvals: [...inherited, ...approvals],
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

  async #read(sessionId: string, { cliId, cursor }: Place, limit: number): Promise<TranscriptPage> {
    if (cursor?.startsWith(originMark)) return this.#origin(sessionId, limit, cursor.slice(originMark.length))
    const page = await this.#transcripts.page(cliId, {
      limit,
      ...(cursor !== undefined && { before: cursor }),
    })
    const isEmpty = page.before === undefined && !page.entries.some(({ entry }) => isSaid(entry))
    return cursor === undefined && isEmpty ? this.#origin(sessionId, limit) : page
  }

  /** A fork is what it was forked from, until its first message makes the CLI write a transcript of its own. */
  async #origin(sessionId: string, limit: number, before?: string): Promise<TranscriptPage> {
    const record = await this.#sessions.get(sessionId)
    if (!record?.resumeFrom) return { entries: [], before: undefined }
    const page = await this.#pageUpTo(record.resumeFrom, limit, before)
    return {
      // The other session may have gone on since.
      entries: page.entries.filter(({ entry }) => !isAfter(entry, record.createdAt)),
      before: page.before && originMark + page.before,
    }
  }

  async #pageUpTo(origin: Origin, limit: number, before: string | undefined): Promise<TranscriptPage> {
    const { sessionId, messageId } = origin
    const read = (cursor: string | undefined) =>
      this.#transcripts.page(sessionId, { limit, ...(cursor !== undefined && { before: cursor }) })
    let page = await read(before)
    // A later page is older than the message already.
    if (messageId === undefined || before !== undefined) return page
    const at = () => page.entries.findIndex(({ entry }) => entry.uuid === messageId)
    while (at() < 0 && page.before !== undefined) page = await read(page.before)
    return { ...page, entries: page.entries.slice(0, at() + 1) }
  }

  /** What was decided in the session that this one was forked from, about calls that both have. */
  async #inherited(
    source: string | undefined,
    entries: readonly TranscriptEntry[],
    limit: number,
  ): Promise<Approval[]> {
    const calls = source === undefined ? undefined : toolCallIds(entries)
    const found: Approval[] = []
    // A fork may be one of a fork.
    for (let id = source; id !== undefined && calls && found.length < calls.size; ) {
      const approvals = await this.#coordination.approvals.list({ sessionId: id, limit: 2 * limit + 100 })
      found.push(...approvals.filter((one) => one.state !== 'pending' && calls.has(one.tool_call_id ?? '')))
      id = (await this.#sessions.get(id))?.forkedFrom
    }
    return found
  }

  async #subagents(cliId: string, entries: readonly TranscriptEntry[]): Promise<SubagentEntries> {
    const found = new Map<string, TranscriptEntry[]>()
    for (const { toolCallId, agentId } of subagentCalls(entries).slice(-maxSubagents))
      found.set(toolCallId, await this.#transcripts.subagent(cliId, agentId, maxSubagentEvents))
    return found
  }

  async #placeOf(sessionId: string, before: string | undefined, cliIds: string[]): Promise<Place> {
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

  /** The transcript's own id of a message: of a person's message it is the same, of an answer its last line's. */
  async entryId(sessionId: string, messageId: string): Promise<string> {
    const session = await this.#directory.get(sessionId)
    for (const cliId of session.cli_session_ids.toReversed()) {
      let before: string | undefined
      do {
        const page = await this.#transcripts.page(cliId, {
          limit: around,
          ...(before !== undefined && { before }),
        })
        const found = page.entries.findLast(({ entry }) => isMessage(entry, messageId))
        if (typeof found?.entry.uuid === 'string') return found.entry.uuid
        before = page.before
      } while (before !== undefined)
    }
    throw new AppError('not_found', 'There is no such message in this session.')
  }

  async export(sessionId: string, format: 'markdown' | 'json') {
    const session = await this.#directory.get(sessionId)
    const events = this.#everything(sessionId)
    return {
      fileName: exportFileName(session, format),
      mediaType: format === 'markdown' ? 'text/markdown' : 'application/json',
      chunks: format === 'markdown' ? renderMarkdown(session, events) : renderJson(session, events),
    }
  }

  /** Oldest first. Pages come from the end, so their cursors are collected first and then walked back. */
  async *#everything(sessionId: string): AsyncGenerator<StreamEvent> {
    const pages: (string | undefined)[] = [undefined]
    for (;;) {
      const cursor = pages.at(-1)
      const { before } = await this.page(sessionId, { limit: around, before: cursor })
      if (before === undefined) break
      pages.push(before)
    }
    for (const before of pages.toReversed())
      yield* (await this.page(sessionId, { limit: around, before })).events
  }
}

type Origin = NonNullable<SessionRecord['resumeFrom']>

/** Before a cursor in the transcript that a fork began from. */
const originMark = 'origin:'

function isSaid({ type }: Record<string, unknown>): boolean {
  return type === 'user' || type === 'assistant'
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

function isAfter({ timestamp }: Record<string, unknown>, time: string): boolean {
  return typeof timestamp === 'string' && timestamp > time
}

/** Where a page ends. A session whose CLI changed its id (`/clear`) has several transcripts. */
interface Place {
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
  return new AppError('invalid_request', 'The cursor is not one that this server gave out.')
}

function untilOf({ until }: Place): { until?: string } {
  return until === undefined ? {} : { until }
}

function isMessage({ uuid, message }: Record<string, unknown>, id: string): boolean {
  if (uuid === id) return true
  return typeof message === 'object' && message !== null && 'id' in message && message.id === id
}

function upTo(entries: TranscriptEntry[], uuid: string): TranscriptEntry[] {
  const index = entries.findIndex(({ entry }) => entry.uuid === uuid)
  return index < 0 ? entries : entries.slice(0, index)
}
