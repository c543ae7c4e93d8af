/** What a session's events have no room for: whole outputs of tools, and pictures. Read from the files of the session and of those that it was forked from. */
import { type Saying, type StreamEvent, say, type ToolOutput, toSaid } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { savedPicture } from '../event-map/saved-output.ts'
import { list, record } from '../event-map/untrusted.ts'
import type { TurnQueue } from '../ports/coordination.ts'
import type { SessionStore } from '../ports/records.ts'
import type { ByteSource, ResultFiles, SoughtEntry } from '../ports/transcripts.ts'
import type { ServedFile } from '../services.ts'
import type { SessionDirectory } from '../sessions/session-directory.ts'
import { allBytes } from './byte-source.ts'
import { eventParts, joinedText, type ResultPart, wholeContent, wholeResult } from './whole-result.ts'

interface OutputParts {
  results: ResultFiles
  directory: SessionDirectory
  sessions: Pick<SessionStore, 'get'>
  /** What people sent is kept as they sent it; the CLI makes large pictures smaller. */
  turns: Pick<TurnQueue, 'get'>
}

/** A fork's transcript names files of the session that it came from; further ones are not looked for. */
const maxAncestors = 20

export class SessionOutputs {
  readonly #parts: OutputParts

  constructor(parts: OutputParts) {
    this.#parts = parts
  }

  /** A page of the text, from `offset` on, with whole characters. */
  async output(
    actor: Actor,
    sessionId: string,
    toolCallId: string,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ToolOutput> {
    const parts = await this.#result(actor, sessionId, toolCallId)
    const source = joinedText(parts)
    const page = wholeCharacters(
      await allBytes(source, offset, offset + limit),
      offset + limit >= source.bytes,
    )
    const next = offset + page.length
    const missing = missingOf(parts)
    return {
      text: page.toString('utf8'),
      bytes: source.bytes,
      ...(next < source.bytes && { next_offset: next }),
      ...(missing && { missing: missing.message, said: toSaid(missing) }),
      pictures: picturesOf(parts).flatMap((part, index) =>
        part.kind === 'picture' ? { index, media_type: part.mediaType, bytes: part.source.bytes } : [],
      ),
    }
  }

  async outputFile(actor: Actor, sessionId: string, toolCallId: string): Promise<ServedFile> {
    const parts = await this.#result(actor, sessionId, toolCallId)
    for (const part of parts)
      if (part.kind === 'missing' && part.what === 'output') throw new AppError('gone', part.saying)
    return fileOf(joinedText(parts), `output-${toolCallId}.txt`, 'text/plain; charset=utf-8')
  }

  async toolPicture(actor: Actor, sessionId: string, toolCallId: string, index: number): Promise<ServedFile> {
    return pictureFile(await this.#result(actor, sessionId, toolCallId), index)
  }

  async messagePicture(
    actor: Actor,
    sessionId: string,
    messageId: string,
    index: number,
  ): Promise<ServedFile> {
    const cliIds = await this.#cliIds(actor, sessionId)
    const sent = await this.#parts.turns.get(sessionId, messageId)
    const parts = Array.isArray(sent?.content)
      ? await eventParts(sent.content)
      : await this.#message(cliIds, messageId)
    if (parts === undefined) throw new AppError('not_found', say('output_message_missing'))
    return pictureFile(parts, index)
  }

  /** For all events of a session, one after the other: what an event holds, whole. Undefined where it is whole itself. */
  async wholeOf(
    actor: Actor,
    sessionId: string,
  ): Promise<(event: StreamEvent) => Promise<ResultPart[] | undefined>> {
    const cliIds = await this.#cliIds(actor, sessionId)
    return async (event) => {
      if (event.type === 'user_message') {
        if (!list(event.content).some(isOmitted)) return undefined
        return (await this.#message(cliIds, event.message_id)) ?? gone(event.content)
      }
      if (event.type !== 'tool_result') return undefined
      const isCut = event.omitted_bytes !== undefined || event.content.some((block) => savedPicture(block))
      if (!isCut) return undefined
      const isSubagent = event.parent !== undefined
      return (await this.#call(cliIds, event.tool_call_id, isSubagent)) ?? gone(event.content)
    }
  }

  async #result(actor: Actor, sessionId: string, toolCallId: string): Promise<ResultPart[]> {
    const parts = await this.#call(await this.#cliIds(actor, sessionId), toolCallId, false)
    if (parts) return parts
    throw new AppError('not_found', say('output_result_missing'))
  }

  async #call(
    cliIds: readonly string[],
    toolCallId: string,
    isSubagent: boolean,
  ): Promise<ResultPart[] | undefined> {
    const sources = isSubagent ? (['subagents', 'session'] as const) : (['session', 'subagents'] as const)
    const entry = await this.#find(cliIds, { toolCallId }, sources)
    if (entry === undefined || entry.truncated === true) return entry && tooLong(entry)
    const results = list(record(entry.message).content).filter(
      (block) => record(block).type === 'tool_result',
    )
    const block = record(results.find((one) => record(one).tool_use_id === toolCallId))
    // One message holds one result; its detail would be anyone's if there were more.
    const detail = results.length === 1 ? entry.toolUseResult : undefined
    return wholeResult(toolCallId, { content: block.content, detail }, this.#opener(cliIds))
  }

  async #message(cliIds: readonly string[], messageId: string): Promise<ResultPart[] | undefined> {
    const entry = await this.#find(cliIds, { messageId }, ['session'])
    if (entry === undefined || entry.truncated === true) return entry && tooLong(entry)
    const content = entry.type === 'user' ? record(entry.message).content : record(entry.attachment).prompt
    return wholeContent(content, this.#opener(cliIds))
  }

  async #find(
    cliIds: readonly string[],
    sought: SoughtEntry,
    sources: readonly ('session' | 'subagents')[],
  ): Promise<Record<string, unknown> | undefined> {
    for (const where of sources)
      for (const cliId of cliIds) {
        const entry = await this.#parts.results.find(cliId, sought, where)
        if (entry) return entry
      }
    return undefined
  }

  /** A transcript can name any session; only files of these are opened. */
  #opener(cliIds: readonly string[]): Parameters<typeof wholeContent>[1] {
    return async ({ sessionId, name }) =>
      cliIds.includes(sessionId) ? this.#parts.results.saved(sessionId, name) : undefined
  }

  /** Of the session, the newest first, and of those that it was forked from. */
  async #cliIds(actor: Actor, sessionId: string): Promise<string[]> {
    const { id, cli_session_ids: own } = await this.#parts.directory.get(actor, sessionId)
    const ids = new Set([...own.toReversed(), id])
    let record = await this.#parts.sessions.get(id)
    for (let seen = 0; record?.forkedFrom !== undefined && seen < maxAncestors; seen++) {
      const source = record.forkedFrom
      record = await this.#parts.sessions.get(source)
      for (const cliId of [...(record?.cliSessionIds ?? []).toReversed(), source]) ids.add(cliId)
    }
    return [...ids]
  }
}

const isOmitted = (block: unknown): boolean => record(record(block).source).type === 'omitted'

function tooLong({ bytes }: Record<string, unknown>): ResultPart[] {
  const saying = say('output_line_too_long', { bytes: typeof bytes === 'number' ? bytes : 0 })
  return [{ kind: 'missing', what: 'output', saying }]
}

/** What the event has of it is all there is. */
async function gone(content: unknown): Promise<ResultPart[]> {
  return [...(await eventParts(content)), { kind: 'missing', what: 'rest', saying: say('output_rest_gone') }]
}

function missingOf(parts: readonly ResultPart[]): Saying | undefined {
  const missing = parts.flatMap((part) => (part.kind === 'missing' ? part.saying : []))
  return missing.length > 1 ? say('output_several_missing', { parts: missing }) : missing[0]
}

/** As they are counted in an event: those that are not given out too. */
const picturesOf = (parts: readonly ResultPart[]) =>
  parts.filter((part) => part.kind === 'picture' || (part.kind === 'other' && part.isPicture))

function pictureFile(parts: readonly ResultPart[], index: number): ServedFile {
  const picture = picturesOf(parts)[index]
  if (picture?.kind !== 'picture') {
    throw new AppError('not_found', missingOf(parts) ?? say('output_picture_missing'))
  }
  const { mediaType, source } = picture
  return fileOf(source, `picture-${index + 1}.${mediaType.slice('image/'.length)}`, mediaType)
}

const fileOf = (source: ByteSource, fileName: string, mediaType: string): ServedFile => ({
  fileName,
  mediaType,
  bytes: source.bytes,
  chunks: source.read(),
})

/** Without the beginning of a character at the end, unless nothing follows. */
function wholeCharacters(bytes: Buffer, isEnd: boolean): Buffer {
  if (isEnd) return bytes
  let start = bytes.length - 1
  while (start > bytes.length - 4 && start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start > 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes
}
