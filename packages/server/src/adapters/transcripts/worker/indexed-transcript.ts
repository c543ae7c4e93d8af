/** What the index keeps of one transcript. */
import type { SessionFileInfo, SessionTranscriptFile } from 'claude-code-agent'
import type { TranscriptInfo } from '../../../core/ports/transcripts.ts'

/** What the beginning and the end of the file say. */
export interface Headline {
  cwd: string | undefined
  title: string | undefined
  firstPrompt: string | undefined
  model: string | undefined
  branch: string | undefined
  createdMs: number | undefined
}

/** How far the file was read whole. */
export interface TextState {
  /** Where to go on reading. */
  position: number
  /** Shows whether the file is still the one that was read up to `position`. */
  mark: string
  /** The file's size and time when it was last read up to its end; -1 before that. */
  size: number
  mtimeMs: number
  messageCount: number
  /** The model's message that was counted last: one message can be in several entries. */
  lastMessageId: string | undefined
}

export interface IndexedTranscript {
  sessionId: string
  path: string
  size: number
  mtimeMs: number
  /** Undefined when there is nothing in the file to show. */
  headline: Headline | undefined
  text: TextState
}

export const noText: TextState = {
  position: 0,
  mark: '',
  size: -1,
  mtimeMs: -1,
  messageCount: 0,
  lastMessageId: undefined,
}

export type FileState = Pick<SessionTranscriptFile, 'sessionId' | 'path' | 'size' | 'mtimeMs'>

export function isSameFile(transcript: IndexedTranscript, file: FileState): boolean {
  return transcript.path === file.path && transcript.size === file.size && transcript.mtimeMs === file.mtimeMs
}

/** Whether there is more of the file to be read. */
export function wantsText({ headline, text, size, mtimeMs }: IndexedTranscript): boolean {
  return headline !== undefined && (text.size !== size || text.mtimeMs !== mtimeMs)
}

const shownCharacters = 500
const pathCharacters = 4096

/** Transcripts are hostile: nothing of any length comes out of them. */
export function headlineOf(info: SessionFileInfo): Headline {
  return {
    cwd: info.cwd !== undefined && info.cwd.length <= pathCharacters ? storable(info.cwd) : undefined,
    title: shown(info.customTitle ?? info.generatedTitle),
    firstPrompt: shown(info.firstPrompt),
    model: shown(info.model),
    branch: shown(info.gitBranch),
    createdMs: Number.isFinite(info.createdAt) ? info.createdAt : undefined,
  }
}

function shown(text: string | undefined): string | undefined {
  return text && storable(text.slice(0, shownCharacters))
}

/** The database takes no NUL. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', ' ') : text
}

export function toTranscriptInfo(transcript: IndexedTranscript): TranscriptInfo | undefined {
  const { sessionId, path, size, mtimeMs, headline, text } = transcript
  if (headline === undefined) return undefined
  const { cwd, title, firstPrompt, model, branch, createdMs } = headline
  return {
    sessionId,
    path,
    cwd,
    title,
    firstPrompt,
    model,
    branch,
    createdAt: timeText(createdMs ?? mtimeMs),
    updatedAt: timeText(mtimeMs),
    bytes: size,
    // One that was read whole once keeps its count while the rest is read.
    messageCount: text.size < 0 ? undefined : text.messageCount,
  }
}

const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Of one length, so that times sort as text; a file can claim any time. */
function timeText(ms: number): string {
  return new Date(Math.min(Math.max(0, Number.isFinite(ms) ? Math.floor(ms) : 0), lastMs)).toISOString()
}
