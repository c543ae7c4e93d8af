/**
 * Sessions on disk, as the package exports them. What reads transcripts is loaded on first use: most programs that
 * start sessions never do, and its modules are a fifth of the package's import time.
 */
import type { SessionMutationOptions } from './edit-session.ts'
import type { ForkSessionOptions, ForkSessionResult } from './fork-session.ts'
import type { ListSessionsOptions } from './list-sessions.ts'
import type { GetSessionInfoOptions, SDKSessionInfo } from './session-info.ts'
import type { GetSessionMessagesOptions, TranscriptMessage } from './session-messages.ts'

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

/** The messages of one session, in order; none when there is no session of that id. */
export async function getSessionMessages(
  sessionId: string,
  options?: GetSessionMessagesOptions,
): Promise<TranscriptMessage[]> {
  return (await import('./session-messages.ts')).getSessionMessages(sessionId, options)
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
