/**
 * Sessions on disk, as the package exports them. What reads transcripts is loaded on first use: most programs that
 * start sessions never do, and its modules are a fifth of the package's import time.
 */
import type { SessionMutationOptions } from './edit-session.ts'
import type { ForkSessionOptions, ForkSessionResult } from './fork-session.ts'
import type { ListSessionsOptions } from './list-sessions.ts'
import type { GetSessionInfoOptions, SDKSessionInfo, SessionFileInfo } from './session-info.ts'
import type { GetSessionMessagesOptions, TranscriptMessage } from './session-messages.ts'
import type { ReadSessionPageOptions, SessionPage } from './session-page.ts'
import type { ReadSessionTextOptions, SessionText, SessionTextReader } from './session-text.ts'
import type { SessionTranscriptFile, TranscriptScope } from './transcript-location.ts'

/** The sessions of a directory, or of all directories, newest first. */
export async function listSessions(options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  return (await import('./list-sessions.ts')).listSessions(options)
}

/** What is known of one session; undefined when there is none of that id. */
export async function getSessionInfo(
  sessionId: string,
  options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  return (await import('./session-info.ts')).getSessionInfo(sessionId, options)
}

/** Every transcript on disk, for an index of your own: reads folders, and no file. */
export async function* sessionFiles(options?: TranscriptScope): AsyncGenerator<SessionTranscriptFile, void> {
  yield* (await import('./transcript-location.ts')).sessionFiles(options)
}

/** What is known of the session of a transcript, from the beginning and the end of the file. */
export async function readSessionInfo(path: string): Promise<SessionFileInfo | undefined> {
  return (await import('./session-info.ts')).readSessionInfo(path)
}

/** What was said in a transcript, from an offset on. */
export function readSessionText(path: string, options: ReadSessionTextOptions = {}): SessionTextReader {
  let reader: SessionTextReader | undefined
  return {
    get position() {
      return reader?.position ?? options.from ?? 0
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<SessionText, void> {
      reader = (await import('./session-text.ts')).readSessionText(path, options)
      yield* reader
    },
  }
}

/** The messages of one session, in order; none when there is no session of that id. */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<TranscriptMessage[]> {
  return (await import('./session-messages.ts')).getSessionMessages(sessionId, options)
}

/** The newest messages of a session, or those before a cursor, read from the end of its transcript. */
export async function readSessionPage(
  sessionId: string,
  options?: ReadSessionPageOptions,
): Promise<SessionPage> {
  return (await import('./session-page.ts')).readSessionPage(sessionId, options)
}

/** Copies a session, whole or up to a message, under a new id. */
export async function forkSession(
  sessionId: string,
  options?: ForkSessionOptions,
): Promise<ForkSessionResult> {
  return (await import('./fork-session.ts')).forkSession(sessionId, options)
}

/** Gives a session a title. For one that is live use `session.rename()`: its CLI writes its own title at the end. */
export async function renameSession(
  sessionId: string,
  title: string,
  options?: SessionMutationOptions,
): Promise<void> {
  return (await import('./edit-session.ts')).renameSession(sessionId, title, options)
}

/** Gives a session a tag; null takes it away. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options?: SessionMutationOptions,
): Promise<void> {
  return (await import('./edit-session.ts')).tagSession(sessionId, tag, options)
}

/** Removes a session's transcript and what belongs to it. */
export async function deleteSession(sessionId: string, options?: SessionMutationOptions): Promise<void> {
  return (await import('./edit-session.ts')).deleteSession(sessionId, options)
}
