/** The transcript of a session: its own or, until its first message makes the CLI write one, the one that it was forked from. */
import { type Session, say } from '@dorkos/shared'
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

/** The last that a conversation has before a message; null: nothing. */
export type PointBefore = NonNullable<SessionRecord['branch']>['at'] | undefined

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
    const cliIds = await this.cliSessions(await this.#parts.directory.get(actor, sessionId))
    const newest = cliIds.at(-1) ?? sessionId
    if (messageId === undefined) {
      const isFresh = isEmpty(await this.#own(newest, around)(undefined))
      return (isFresh && (await this.#originPoint(sessionId, isSaid))) || { sessionId: newest }
    }
    const isIt = (entry: Record<string, unknown>) => isMessage(entry, messageId)
    for (const cliId of cliIds.toReversed()) {
      const found = await findEntry(this.#own(cliId, around), isIt)
      if (found) return { sessionId: cliId, messageId: String(found.uuid) }
    }
    const inherited = await this.#originPoint(sessionId, isIt)
    if (inherited) return inherited
    throw new AppError('not_found', say('message_not_found'))
  }

  /** Where a fork begins that ends right before a message; undefined where that is its beginning. */
  async forkPointBefore(actor: Actor, sessionId: string, messageId: string): Promise<Origin | undefined> {
    const cliIds = await this.cliSessions(await this.#parts.directory.get(actor, sessionId))
    for (const cliId of cliIds.toReversed()) {
      const found = await findSaidBefore(this.#own(cliId, around), messageId)
      if (found) return originAt(cliId, found)
    }
    const origin = (await this.#parts.sessions.get(sessionId))?.resumeFrom
    const inherited =
      origin && (await findSaidBefore((before) => this.#origin(sessionId, around, before), messageId))
    if (inherited) return originAt(origin.sessionId, inherited)
    throw new AppError('not_found', say('message_not_found'))
  }

  /** The CLI's sessions that make up the conversation, oldest first. */
  async cliSessions({ id, cli_session_ids: all }: Session): Promise<string[]> {
    const record = await this.#parts.sessions.get(id)
    const shown = all.slice(record?.droppedCliSessions ?? 0)
    return shown.length > 0 ? shown : [id]
  }

  /** Where the conversation is right before a message of the session's own; undefined when no transcript has it. */
  async pointBefore(actor: Actor, sessionId: string, messageId: string): Promise<PointBefore> {
    const cliIds = await this.cliSessions(await this.#parts.directory.get(actor, sessionId))
    for (const [index, cliSessionId] of [...cliIds.entries()].toReversed()) {
      const entry = await findEntry(this.#own(cliSessionId, around), ({ uuid }) => uuid === messageId)
      if (!entry) continue
      const parent = typeof entry.parentUuid === 'string' ? entry.parentUuid : undefined
      if (index < cliIds.length - 1 || (parent === undefined && index > 0))
        throw new AppError('conflict', say('message_cleared'))
      return parent === undefined ? null : { cliSessionId, messageId: parent }
    }
    return undefined
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
    const found = await findEntry((before) => this.#origin(sessionId, around, before), fits)
    return found && { sessionId: origin.sessionId, messageId: String(found.uuid) }
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

function originAt(sessionId: string, { before }: { before: string | undefined }): Origin | undefined {
  return before === undefined ? undefined : { sessionId, messageId: before }
}

/** The id of the last that was said before a message; undefined when the message is not there. */
async function findSaidBefore(
  read: ReadPage,
  messageId: string,
): Promise<{ before: string | undefined } | undefined> {
  let isFound = false
  let cursor: string | undefined
  do {
    const { entries, before }: TranscriptPage = await read(cursor)
    const found = entries.findIndex(({ entry }) => entry.uuid === messageId)
    const older = isFound ? entries : entries.slice(0, Math.max(0, found))
    isFound ||= found !== -1
    const said = older.findLast(({ entry }) => isSaid(entry) && typeof entry.uuid === 'string')
    if (said) return { before: String(said.entry.uuid) }
    cursor = before
  } while (cursor !== undefined)
  return isFound ? { before: undefined } : undefined
}

/** The newest entry that fits and has an id. */
async function findEntry(
  read: ReadPage,
  fits: (entry: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown> | undefined> {
  let before: string | undefined
  do {
    const page: TranscriptPage = await read(before)
    const found = page.entries.findLast(({ entry }: TranscriptEntry) => fits(entry))
    if (typeof found?.entry.uuid === 'string') return found.entry
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
