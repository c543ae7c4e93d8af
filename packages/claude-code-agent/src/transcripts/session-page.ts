/** A session's history in pages from its end: what is not on the page, or after it, is not read. */
import type { FileHandle } from 'node:fs/promises'
import { InvalidOptionsError } from '../errors.ts'
import { type ChainLink, type ChainPosition, chainBackward } from './chain-backward.ts'
import { readBytes } from './line-reader.ts'
import { scanLine } from './long-line.ts'
import { type TranscriptMessage, toMessage } from './session-messages.ts'
import { parseEntry, type TranscriptEntry } from './transcript-entry.ts'
import { openTranscript, type TranscriptScope, transcriptOf } from './transcript-location.ts'

const defaultLimit = 50
const defaultMaxBytes = 32 * 1024 * 1024
const defaultMaxLineBytes = 64 * 1024 * 1024

export interface ReadSessionPageOptions extends TranscriptScope {
  /** The transcript, where it is known (`sessionFiles()`): nothing is searched for then. */
  path?: string
  /** The `before` of a page: the messages before it. Without one, the newest. */
  before?: string
  /** At most this many, 50 by default; more only where one message of the model with its tool results is more. */
  limit?: number
  /** Stop early, with at least one message, when this much of the file was gone through; 32 MiB by default. */
  maxBytes?: number
  /** Longer entries are given without their content: `truncated`. 64 MiB by default. */
  maxLineBytes?: number
}

export interface SessionPageMessage extends TranscriptMessage {
  /** The entry that it follows. */
  parentUuid: string | null
  /** Where its line begins in the file, and how long it is. */
  offset: number
  bytes: number
  /** The whole entry as the CLI wrote it. Not there when it is truncated; nor is `message` then. */
  entry?: TranscriptEntry
  truncated?: true
}

export interface SessionPage {
  /** Oldest first. */
  messages: SessionPageMessage[]
  /** For the page before this one; undefined at the beginning. Stays good while the file grows. */
  before: string | undefined
  /** The size of the file that the page was read from. */
  fileSize: number
}

/**
 * The newest messages of a session, or those before a cursor: the conversation as `getSessionMessages` gives it with
 * `includeCompacted` and `includeSystemMessages`, and with what people said into turns that ran (`queued_command`), which
 * has the id there under which it was sent. Empty if there is no such session.
 */
export async function readSessionPage(
  sessionId: string,
  options: ReadSessionPageOptions = {},
): Promise<SessionPage> {
  const bounds = boundsOf(options)
  const path = await transcriptOf(sessionId, options)
  if (path === undefined) return { messages: [], before: undefined, fileSize: 0 }
  let handle: FileHandle | undefined
  try {
    handle = await openTranscript(path)
    const { size } = await handle.stat()
    const { end, wanted } = options.before === undefined ? { end: size } : parseCursor(options.before)
    const from = { end: Math.min(end, size), wanted }
    const { links, next } = await pageBackward(handle, from, bounds)
    const messages: SessionPageMessage[] = []
    for (const link of links) {
      const message = await readMessage(handle, link, sessionId, bounds.maxLineBytes)
      if (message !== undefined) messages.push(message)
    }
    return { messages, before: next && `${next.end}:${next.wanted}`, fileSize: size }
  } finally {
    await handle?.close()
  }
}

interface Bounds {
  limit: number
  maxBytes: number
  maxLineBytes: number
}

function boundsOf(options: ReadSessionPageOptions): Bounds {
  const { limit = defaultLimit, maxBytes = defaultMaxBytes, maxLineBytes = defaultMaxLineBytes } = options
  for (const [name, value] of Object.entries({ limit, maxBytes, maxLineBytes }))
    if (!(value >= 1))
      throw new InvalidOptionsError(`\`${name}\` must be a number from 1 up, but it is ${value}.`)
  return { limit, maxBytes, maxLineBytes }
}

function parseCursor(cursor: string): ChainPosition {
  const [, end, wanted] = /^(\d{1,15}):(.+)$/s.exec(cursor) ?? []
  if (end === undefined) throw new InvalidOptionsError('`before` is not a cursor of a page.')
  return { end: Number(end), wanted }
}

/** Whole groups, so that a tool call and its result are on one page. */
async function pageBackward(
  handle: FileHandle,
  from: ChainPosition,
  { limit, maxBytes }: Bounds,
): Promise<{ links: ChainLink[]; next: ChainPosition | undefined }> {
  const groups: (readonly ChainLink[])[] = []
  let count = 0
  let next: ChainPosition | undefined
  for await (const group of chainBackward(handle, from, (bytes) => count > 0 && bytes > maxBytes)) {
    const shown = group.links.filter(isShown)
    if (count > 0 && count + shown.length > limit) break
    groups.push(shown)
    count += shown.length
    next = group.next
    if (count >= limit) break
  }
  return { links: groups.reverse().flat(), next }
}

function isShown({ type, isMeta, said }: ChainLink): boolean {
  if (type === 'user') return !isMeta
  return type === 'assistant' || type === 'system' || said !== undefined
}

async function readMessage(
  handle: FileHandle,
  link: ChainLink,
  sessionId: string,
  maxLineBytes: number,
): Promise<SessionPageMessage | undefined> {
  const position = { parentUuid: link.parent ?? null, offset: link.offset, bytes: link.length }
  if (link.length > maxLineBytes) return { ...(await truncated(handle, link, sessionId)), ...position }
  const entry = parseEntry({ bytes: await readBytes(handle, link.offset, link.length) })
  if (entry === undefined) return undefined
  const message = toMessage(entry, link, sessionId)
  return { ...message, ...(link.said && saidAs(link.said, entry)), ...position, entry }
}

function saidAs(said: { uuid: string | undefined }, entry: TranscriptEntry): Partial<TranscriptMessage> {
  const { prompt } = entry.attachment as TranscriptEntry
  const message = { role: 'user', content: prompt }
  return { type: 'user', message, ...(said.uuid && { uuid: said.uuid }) }
}

async function truncated(
  handle: FileHandle,
  link: ChainLink,
  sessionId: string,
): Promise<TranscriptMessage & { truncated: true }> {
  const fields = await scanLine(handle, link, (path) => (path === 'timestamp' ? 100 : 0))
  const timestamp = fields.text('timestamp')
  const type = link.said ? 'user' : (link.type as TranscriptMessage['type'])
  return {
    type,
    uuid: link.said?.uuid || link.uuid,
    session_id: sessionId,
    message: undefined,
    parent_tool_use_id: null,
    parent_agent_id: null,
    ...(timestamp && { timestamp }),
    truncated: true,
  }
}
