/** Reads what was said in a transcript from where the index ends, in portions. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { readSessionText, type SessionText } from 'claude-code-agent'
import type { IndexedMessage } from './index-store.ts'
import { type IndexedTranscript, noText, type TextState } from './indexed-transcript.ts'

const portionMessages = 200
const portionCharacters = 512 * 1024
const idCharacters = 200
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

export interface TextPortion {
  /** The file is not the one that was read before: forget all of that. */
  startsAnew: boolean
  messages: IndexedMessage[]
  state: TextState
}

/** The last portion says that the file was read up to its end; what is torn there is read next time. */
export async function* readText(transcript: IndexedTranscript): AsyncGenerator<TextPortion> {
  const { path, size, mtimeMs } = transcript
  const isSame = await continues(transcript)
  let state = isSame ? transcript.text : noText
  let startsAnew = !isSame
  let messages: IndexedMessage[] = []
  let characters = 0
  const reader = readSessionText(path, { from: state.position })
  for await (const said of reader) {
    messages.push(messageOf(said, mtimeMs))
    characters += said.text.length
    state = counted(state, said)
    if (messages.length < portionMessages && characters < portionCharacters) continue
    state = { ...state, position: reader.position, mark: await markAt(path, reader.position) }
    yield { startsAnew, messages, state }
    startsAnew = false
    messages = []
    characters = 0
  }
  const mark = await markAt(path, reader.position)
  yield { startsAnew, messages, state: { ...state, position: reader.position, mark, size, mtimeMs } }
}

async function continues({ path, size, text }: IndexedTranscript): Promise<boolean> {
  if (text.position === 0 || size < text.position) return false
  return text.mark !== '' && (await fileMark(path, text.position)) === text.mark
}

/** Without a mark, the file is read anew next time. */
async function markAt(path: string, position: number): Promise<string> {
  return (await fileMark(path, position)) ?? ''
}

/** By the id in events: a person's message has its own, an answer the model's, which several lines can share. */
function messageOf(said: SessionText, fileMs: number): IndexedMessage {
  const { role, text, timestamp } = said
  const ms = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  const isTimeKnown = ms >= 0 && ms <= lastMs
  const id = role === 'assistant' ? (said.messageId ?? said.uuid) : said.uuid
  const messageId = id.slice(0, idCharacters)
  return { messageId, role, text, timeMs: isTimeKnown ? ms : fileMs, isTimeKnown }
}

/** The model's text before and after a tool call is in entries of its own, but is one message. */
function counted(state: TextState, said: SessionText): TextState {
  const messageId = said.messageId?.slice(0, idCharacters)
  const isMore = messageId !== undefined && messageId === state.lastMessageId
  return {
    ...state,
    messageCount: state.messageCount + (isMore ? 0 : 1),
    lastMessageId: messageId,
  }
}

const markedBytes = 1024

/**
 * Shows whether a file is still the one that was read up to a position, or was replaced or written anew: which file it
 * is, and its last bytes before the position. Undefined when they cannot be read.
 */
async function fileMark(path: string, position: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    () => undefined,
  )
  if (file === undefined) return undefined
  try {
    const { ino } = await file.stat({ bigint: true })
    const length = Math.min(position, markedBytes)
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position - length)
    if (bytesRead < length) return undefined
    return `${ino}-${createHash('sha256').update(buffer).digest('base64url').slice(0, 16)}`
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
