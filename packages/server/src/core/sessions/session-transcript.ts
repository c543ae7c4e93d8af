/** The transcript of a session: its own or, until its first message makes the CLI write one, the one that it was forked from. */
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { SessionRecord, SessionStore } from '../ports/records.ts'
import type { TranscriptEntry, TranscriptPage, TranscriptReader } from '../ports/transcripts.ts'
import type { SessionDirectory } from './session-directory.ts'

/** Where a fork begins. */
export type Origin = NonNullable<SessionRecord['resumeFrom']>

interface TranscriptParts {
  transcripts: TranscriptReader
  directory: SessionDirectory
  sessions: Pick<SessionStore, 'get'>
}

/** Reads one page from the end, or before the cursor of another. */
type ReadPage = (before: string | undefined) => Promise<TranscriptPage>

const around = 500
/** Before a cursor in the transcript that a fork began from. */
const originMark = 'origin:'

export class SessionTranscript {
  readonly #parts: TranscriptParts

  constructor(parts: TranscriptParts) {
    this.#parts = parts
  }

  async page(
    sessionId: string,
    { cliId, cursor }: { cliId: string; cursor?: string | undefined },
    limit: number,
  ): Promise<TranscriptPage> {
    if (cursor?.startsWith(originMark)) return this.#origin(sessionId, limit, cursor)
    const page = await this.#own(cliId, limit)(cursor)
    return cursor === undefined && isEmpty(page) ? this.#origin(sessionId, limit) : page
  }

  /**
   * Where a fork of this session begins: at the message, else at the end of what it has. The transcript's own id of a person's
   * message is the same; of an answer it is its last line's.
   */
  async forkPoint(actor: Actor, sessionId: string, messageId: string | undefined): Promise<Origin> {
    const { cli_session_ids: cliIds } = await this.#parts.directory.get(actor, sessionId)
    const newest = cliIds.at(-1) ?? sessionId
    if (messageId === undefined) {
      const isFresh = isEmpty(await this.#own(newest, around)(undefined))
      return (isFresh && (await this.#originPoint(sessionId, isSaid))) || { sessionId: newest }
    }
    const isIt = (entry: Record<string, unknown>) => isMessage(entry, messageId)
    for (const cliId of cliIds.toReversed()) {
      const found = await findEntry(this.#own(cliId, around), isIt)
      if (found !== undefined) return { sessionId: cliId, messageId: found }
    }
    const inherited = await this.#originPoint(sessionId, isIt)
    if (inherited) return inherited
    throw new AppError('not_found', 'There is no such message in this session.')
  }

  #own(cliId: string, limit: number): ReadPage {
    return (before) => this.#parts.transcripts.page(cliId, { limit, ...(before !== undefined && { before }) })
  }

  async #originPoint(
    sessionId: string,
    fits: (entry: Record<string, unknown>) => boolean,
  ): Promise<Origin | undefined> {
    const origin = (await this.#parts.sessions.get(sessionId))?.resumeFrom
    if (!origin) return undefined
    const messageId = await findEntry((before) => this.#origin(sessionId, around, before), fits)
    return messageId === undefined ? undefined : { sessionId: origin.sessionId, messageId }
  }

  /** A page of the transcript that a fork began from, as far as it is the fork's too. */
  async #origin(sessionId: string, limit: number, cursor?: string): Promise<TranscriptPage> {
    const record = await this.#parts.sessions.get(sessionId)
    if (!record?.resumeFrom) return { entries: [], before: undefined }
    const page = await this.#pageUpTo(record.resumeFrom, limit, cursor?.slice(originMark.length))
    return {
      // The other session may have gone on since.
      entries: page.entries.filter(({ entry }) => !isAfter(entry, record.createdAt)),
      before: page.before && originMark + page.before,
    }
  }

  async #pageUpTo(origin: Origin, limit: number, before: string | undefined): Promise<TranscriptPage> {
    const { sessionId, messageId } = origin
    const read = this.#own(sessionId, limit)
    let page = await read(before)
    // A later page is older than the message already.
    if (messageId === undefined || before !== undefined) return page
    const at = () => page.entries.findIndex(({ entry }) => entry.uuid === messageId)
    while (at() < 0 && page.before !== undefined) page = await read(page.before)
    return { ...page, entries: page.entries.slice(0, at() + 1) }
  }
}

/** The id of the newest entry that fits. */
async function findEntry(
  read: ReadPage,
  fits: (entry: Record<string, unknown>) => boolean,
): Promise<string | undefined> {
  let before: string | undefined
  do {
    const page: TranscriptPage = await read(before)
    const found = page.entries.findLast(({ entry }: TranscriptEntry) => fits(entry))
    if (typeof found?.entry.uuid === 'string') return found.entry.uuid
    before = page.before
  } while (before !== undefined)
  return undefined
}

function isEmpty({ before, entries }: TranscriptPage): boolean {
  return before === undefined && !entries.some(({ entry }) => isSaid(entry))
}

function isSaid({ type }: Record<string, unknown>): boolean {
  return type === 'user' || type === 'assistant'
}

function isMessage({ uuid, message }: Record<string, unknown>, id: string): boolean {
  if (uuid === id) return true
  return typeof message === 'object' && message !== null && 'id' in message && message.id === id
}

function isAfter({ timestamp }: Record<string, unknown>, time: string): boolean {
  return typeof timestamp === 'string' && timestamp > time
}
