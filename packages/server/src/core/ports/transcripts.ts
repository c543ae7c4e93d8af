/**
 * Transcripts: what was said, in the CLI's own files, of every session on this machine, those of terminals included. The
 * files are the truth; the index beside them is made from them, in a worker, and can be thrown away.
 */

export interface TranscriptInfo {
  /** The CLI's id, which is the file's name. */
  sessionId: string
  path: string
  cwd: string | undefined
  title: string | undefined
  firstPrompt: string | undefined
  model: string | undefined
  branch: string | undefined
  createdAt: string
  updatedAt: string
  bytes: number
  /** Absent until the file has been read whole. */
  messageCount: number | undefined
}

export interface TranscriptEntry {
  /** Where its line begins in the file: orders entries, and never changes. */
  offset: number
  /** The line, parsed. A line that is too long comes as a stub: `{type, uuid, timestamp, truncated: true, bytes}`. */
  entry: Record<string, unknown>
}

export interface TranscriptPage {
  /** Oldest first. */
  entries: TranscriptEntry[]
  /** For the next older page; undefined at the beginning. */
  before: string | undefined
}

/** Bytes that are read when they are needed, and not held. */
export interface ByteSource {
  bytes: number
  /** From `start` to before `end`; all unless said. Throws where they are no longer what they were. */
  read(start?: number, end?: number): AsyncIterable<Buffer>
}

/** What is looked for in a transcript: the result of a call, or a message to the agent. */
export type SoughtEntry = { toolCallId: string } | { messageId: string }

/** What events have no room for, from a session's own files: its transcript and the folder beside it. Nothing outside of them is read. */
export interface ResultFiles {
  /** The entry that holds it, in the transcript of the session itself or in those of its subagents. Too long a line is a stub, as on a page. */
  find(
    cliId: string,
    sought: SoughtEntry,
    where: 'session' | 'subagents',
  ): Promise<Record<string, unknown> | undefined>
  /** A file that the CLI kept in the session's `tool-results`. Undefined where there is none of that name. */
  saved(cliId: string, name: string): Promise<ByteSource | undefined>
}

export interface SearchHit {
  sessionId: string
  messageId: string | undefined
  role: string
  snippet: string
  time: string | undefined
}

/** `only` these, or all `except` these, by the CLI's ids. */
export type SearchedTranscripts = { limit: number } & (
  | { only: readonly string[] }
  | { except: readonly string[] }
)

export interface TranscriptReader {
  /** The sessions of one directory, or of all: newest first. */
  listSessions(cwd?: string): Promise<TranscriptInfo[]>
  /** A page of all sessions, newest first, from the index: never reads a file. */
  list(filter: {
    cwds?: string[]
    before?: { updatedAt: string; sessionId: string }
    limit: number
  }): Promise<TranscriptInfo[]>
  get(sessionId: string): Promise<TranscriptInfo | undefined>
  getMany(sessionIds: string[]): Promise<Map<string, TranscriptInfo>>
  /** A page from the end of the file (or before a cursor). Reads no more of the file than it needs. Empty for a session without a transcript. */
  page(sessionId: string, options: { before?: string; limit: number }): Promise<TranscriptPage>
  /** The newest words of a subagent of the session, oldest first. Empty where it has no such subagent, or no file of it. */
  subagent(sessionId: string, agentId: string, limit: number): Promise<TranscriptEntry[]>
  search(text: string, which: SearchedTranscripts): Promise<{ hits: SearchHit[]; complete: boolean }>
  /** A transcript appeared, grew or went away. */
  onChange(listener: (sessionId: string) => void): () => void
  progress(): { transcripts: number; indexed: number }
  close(): Promise<void>
}
