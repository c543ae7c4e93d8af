/** What was said in a session: one pass over the transcript for its links, then only the messages of the page. */
import type { FileHandle } from 'node:fs/promises'
import { readLines } from './line-reader.ts'
import { messageChain } from './message-chain.ts'
import { type Page, pageOf } from './page.ts'
import { parseEntry, type TranscriptEntry, textField } from './transcript-entry.ts'
import { linkOf, type TranscriptLink } from './transcript-link.ts'
import { findTranscript, openTranscript, type TranscriptScope } from './transcript-location.ts'

const scanChunkBytes = 1024 * 1024

/** A message of a transcript; `SessionMessage` in the official SDK. */
export interface TranscriptMessage {
  type: 'user' | 'assistant' | 'system'
  uuid: string
  session_id: string
  /** The Messages API's message; for a system message its own fields (`subtype`, `content`, …). */
  message: unknown
  parent_tool_use_id: string | null
  parent_agent_id: string | null
  /** ISO 8601, as the CLI wrote it. */
  timestamp?: string
  /** True for the summary that a compaction put in the place of what came before. */
  isCompactSummary?: boolean
}

export interface GetSessionMessagesOptions extends TranscriptScope, Page {
  /** Notices and compaction boundaries too. */
  includeSystemMessages?: boolean
  /** Begin at the first message of the session instead of the last compaction. */
  includeCompacted?: boolean
}

/**
 * The conversation as the CLI would resume it, in order, without turns that were rewound and without the CLI's own
 * words to the model. Empty if there is no such session. Throws `InvalidOptionsError` for an id that is no UUID.
 */
export async function getSessionMessages(
  sessionId: string,
  options: GetSessionMessagesOptions = {},
): Promise<TranscriptMessage[]> {
  const { limit, offset } = pageOf(options)
  const file = await findTranscript(sessionId, options)
  if (file === undefined || limit === 0) return []
  let handle: FileHandle | undefined
  try {
    handle = await openTranscript(file.path)
    const links = await readLinks(handle)
    const chain = messageChain(links, { throughCompactions: options.includeCompacted ?? false })
    const shown = chain.filter((link) => isShown(link, options.includeSystemMessages ?? false))
    return await readMessages(handle, shown.slice(offset, offset + limit), sessionId)
  } finally {
    await handle?.close()
  }
}

async function readLinks(handle: FileHandle): Promise<TranscriptLink[]> {
  const links: TranscriptLink[] = []
  for await (const line of readLines(handle, { chunkBytes: scanChunkBytes })) {
    const link = linkOf(line)
    if (link !== undefined) links.push(link)
  }
  return links
}

function isShown(link: TranscriptLink, includeSystem: boolean): boolean {
  if (link.type === 'user') return !link.isMeta
  return link.type === 'assistant' || (includeSystem && link.type === 'system')
}

async function readMessages(
  handle: FileHandle,
  links: readonly TranscriptLink[],
  sessionId: string,
): Promise<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = []
  for (const link of links) {
    const bytes = Buffer.allocUnsafe(link.length)
    const { bytesRead } = await handle.read(bytes, 0, link.length, link.offset)
    const entry = parseEntry({ bytes: bytes.subarray(0, bytesRead) })
    if (entry !== undefined) messages.push(toMessage(entry, link, sessionId))
  }
  return messages
}

export function toMessage(
  entry: TranscriptEntry,
  link: TranscriptLink,
  sessionId: string,
): TranscriptMessage {
  const timestamp = textField(entry, 'timestamp')
  return {
    type: link.type as TranscriptMessage['type'],
    uuid: link.uuid,
    session_id: textField(entry, 'sessionId') ?? sessionId,
    message: link.type === 'system' ? systemFields(entry) : entry.message,
    parent_tool_use_id: null,
    parent_agent_id: null,
    ...(timestamp && { timestamp }),
    ...(entry.isCompactSummary === true && { isCompactSummary: true }),
  }
}

const systemFieldNames = ['subtype', 'content', 'level', 'compactMetadata', 'toolUseID', 'error', 'cause']

function systemFields(entry: TranscriptEntry): Record<string, unknown> {
  const present = systemFieldNames.filter((name) => entry[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, entry[name]]))
}
