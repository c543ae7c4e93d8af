/** What goes between the main thread and the thread that keeps the index of the transcripts. */
import type { SearchedTranscripts, SearchHit, TranscriptInfo } from '../../core/ports/transcripts.ts'

export interface IndexSetup {
  /**
   * The CLI's configuration folders, absolute. Agents in containers can write to all but the first: what that one has, counts; and
   * none of the others has a say about a session that is another's already.
   */
  configDirs: string[]
  path: string
  /** Throw away what is there and begin anew. */
  rebuild: boolean
}

export interface SearchResult {
  hits: SearchHit[]
  complete: boolean
}

export interface IndexRequests {
  search: { input: { text: string; which: SearchedTranscripts }; output: SearchResult }
  /** Looks for a session on disk that the index does not know yet. */
  refresh: { input: { sessionId: string }; output: TranscriptInfo | undefined }
}

export type IndexRequest = {
  [Name in keyof IndexRequests]: { id: number; name: Name; input: IndexRequests[Name]['input'] }
}[keyof IndexRequests]

export type ToIndex = IndexRequest | { follow: string } | { close: true }

export interface Changes {
  changed: TranscriptInfo[]
  removed: string[]
  /** Whether a transcript appeared, grew or went; else the index merely knows more of it now. */
  announce: boolean
}

export interface IndexProgress {
  transcripts: number
  indexed: number
}

export type FromIndex =
  /** What the index knew from before, in pieces; then `ready`. */
  | { known: TranscriptInfo[] }
  | { ready: IndexProgress }
  | { changes: Changes; progress: IndexProgress }
  /** All transcripts were checked for the first time: what was not reported by now does not exist. */
  | { scanned: true }
  | { id: number; value: unknown }
  | { id: number; failure: string }
  | { log: { level: 'debug' | 'info' | 'warn'; fields: object; message: string } }
  /** The thread cannot go on and ends. */
  | { failed: { reason: string; damaged: boolean } }
