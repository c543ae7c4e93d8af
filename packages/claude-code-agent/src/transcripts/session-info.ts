/** One session's line in a list, from the beginning and the end of its transcript. */

import type { FileHandle } from 'node:fs/promises'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@dorkos/processes'
import { type FileLine, readHead, readTail } from './line-reader.ts'
import { type TranscriptEntry, textField } from './transcript-entry.ts'
import { lastPromptTime, PromptFinder, type TranscriptFacts, transcriptFacts } from './transcript-facts.ts'
import {
  fileAt,
  findTranscript,
  openTranscript,
  type TranscriptFile,
  type TranscriptScope,
} from './transcript-location.ts'

const windowBytes = 64 * 1024
const maxHeadBytes = 1024 * 1024
const maxTailBytes = 1024 * 1024

export interface SDKSessionInfo {
  sessionId: string
  /** To show: the title a person gave, else one that was generated, else the last or first prompt. */
  summary: string
  /** Milliseconds since the epoch. */
  lastModified: number
  /** Size of the transcript in bytes. */
  fileSize?: number
  /** The title that a person gave. */
  customTitle?: string
  firstPrompt?: string
  /** The branch at the end of the session. */
  gitBranch?: string
  cwd?: string
  tag?: string
  /** Milliseconds since the epoch, from the first entry that has a time. */
  createdAt?: number
  /** Absent if it never was archived; false once a prompt was sent after that. */
  archived?: boolean
}

export type GetSessionInfoOptions = TranscriptScope

/**
 * What is known of one session; nothing if there is no such session, or nothing in it to show, or if it is the record
 * of a subagent. Throws `InvalidOptionsError` for an id that is no UUID.
 */
export async function getSessionInfo(
  sessionId: string,
  options: GetSessionInfoOptions = {},
): Promise<SDKSessionInfo | undefined> {
  const file = await findTranscript(sessionId, options)
  return file && (await describeSession(file))?.info
}

export interface SessionFileInfo extends SDKSessionInfo {
  /** What started the session, such as `cli` or `sdk-ts`. */
  entrypoint?: string
  /** The model that spoke last, where the end of the transcript shows it. */
  model?: string
  /** A title or summary that the CLI made up. Unlike `summary`, never a prompt. */
  generatedTitle?: string
}

/**
 * What `getSessionInfo` returns, of a transcript whose path is known (`sessionFiles()`), and a little more. Reads its
 * beginning and its end. Nothing if there is nothing in it to show. Throws `InvalidOptionsError` for what is no transcript's name.
 */
export async function readSessionInfo(path: string): Promise<SessionFileInfo | undefined> {
  const file = await fileAt(path)
  const session = file && (await describeSession(file))
  if (session === undefined) return undefined
  const { info, entrypoint, model, generatedTitle } = session
  return {
    ...info,
    ...(entrypoint && { entrypoint }),
    ...(model && { model }),
    ...(generatedTitle && { generatedTitle }),
  }
}

export interface DescribedSession {
  readonly info: SDKSessionInfo
  readonly entrypoint: string | undefined
  readonly model: string | undefined
  readonly generatedTitle: string | undefined
}

/** Never throws: a transcript that cannot be read is nothing. */
export async function describeSession(file: TranscriptFile): Promise<DescribedSession | undefined> {
  const ends = await readEnds(file.path).catch(() => undefined)
  if (ends === undefined) return undefined
  const facts = transcriptFacts(ends.head, ends.tail)
  if (facts.isSidechain) return undefined
  const notes = file.hasSideFolder ? await readSideNotes(file.sideFolder) : {}
  const info = composeInfo(file, facts, notes)
  if (info !== undefined && notes.archive)
    info.archived = isArchived(notes.archive, lastPromptTime(ends.tail))
  const generatedTitle = facts.aiTitle || facts.summary
  return info && { info, entrypoint: facts.entrypoint, model: facts.model, generatedTitle }
}

async function readEnds(path: string): Promise<{ head: FileLine[]; tail: FileLine[] } | undefined> {
  let handle: FileHandle | undefined
  try {
    handle = await openTranscript(path)
    const stat = await handle.stat()
    if (!stat.isFile()) return undefined
    const prompts = new PromptFinder()
    const enough = (lines: readonly FileLine[]) => prompts.scan(lines)
    const { size } = stat
    const head = await readHead(handle, { size, bytes: windowBytes, maxBytes: maxHeadBytes, enough })
    if (size <= windowBytes) return { head, tail: head }
    const tail = await readTail(handle, {
      size,
      bytes: windowBytes,
      maxBytes: maxTailBytes,
      enough: hasShortLines,
    })
    return { head, tail }
  } finally {
    await handle?.close()
  }
}

/** Notes are short lines: a few long ones (prompts' snapshots are of 100 kB) must not use the window up. */
function hasShortLines(lines: readonly FileLine[]): boolean {
  const short = lines.filter((line) => line.length < windowBytes / 4)
  return short.reduce((sum, line) => sum + line.length, 0) >= windowBytes / 4
}

interface SideNotes {
  title?: TranscriptEntry
  archive?: TranscriptEntry
}

async function readSideNotes(folder: string): Promise<SideNotes> {
  const [title, archive] = await Promise.all([
    readNote(join(folder, 'custom-title.json')),
    readNote(join(folder, 'archived.json')),
  ])
  return { ...(title && { title }), ...(archive && { archive }) }
}

async function readNote(path: string): Promise<TranscriptEntry | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The order of preference is the CLI's own (observed with 2.1.325). */
function composeInfo(
  file: TranscriptFile,
  facts: TranscriptFacts,
  notes: SideNotes,
): SDKSessionInfo | undefined {
  const sideTitle = notes.title && textField(notes.title, 'customTitle')
  const customTitle = (facts.titleInTail ?? sideTitle ?? facts.titleInHead) || undefined
  const prompt = facts.firstPrompt ?? (facts.promptIsImage ? 'Image' : undefined)
  const summary = customTitle || facts.aiTitle || facts.lastPrompt || facts.summary || prompt
  if (!summary) return undefined
  return {
    sessionId: file.sessionId,
    summary,
    lastModified: file.modifiedMs,
    fileSize: file.size,
    ...(customTitle && { customTitle }),
    ...(facts.firstPrompt && { firstPrompt: facts.firstPrompt }),
    ...(facts.gitBranch && { gitBranch: facts.gitBranch }),
    ...(facts.cwd && { cwd: facts.cwd }),
    ...(facts.tag && { tag: facts.tag }),
    ...(facts.createdAt !== undefined && { createdAt: facts.createdAt }),
  }
}

function isArchived(note: TranscriptEntry, lastPromptAt: number | undefined): boolean {
  const at = Date.parse(textField(note, 'at') ?? '')
  return note.archived === true && !(lastPromptAt !== undefined && lastPromptAt > at)
}
