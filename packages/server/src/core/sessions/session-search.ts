/** What was said in an actor's sessions, by its words. */
import type { ParsedQuery } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import type { TranscriptReader } from '../ports/transcripts.ts'
import type { CliSessions } from './cli-sessions.ts'

/** Hits are found by transcript, and named by session. */
export async function searchSessions(
  cliSessions: Pick<CliSessions, 'transcriptsOf' | 'sessionOf'>,
  transcripts: Pick<TranscriptReader, 'search'>,
  actor: Actor,
  { q, limit }: ParsedQuery<'searchSessions'>,
) {
  const own = await cliSessions.transcriptsOf(actor)
  const { hits, complete } = await transcripts.search(q, { limit, ...own })
  return {
    complete,
    hits: hits.map(({ sessionId, messageId, role, snippet, time }) => ({
      session_id: cliSessions.sessionOf(sessionId),
      role,
      snippet,
      ...(messageId !== undefined && { message_id: messageId }),
      ...(time !== undefined && { time }),
    })),
  }
}
