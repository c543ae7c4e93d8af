/** The sessions on disk, newest first, read only as far as the page that is asked for. */
import { boundedMap } from './bounded-map.ts'
import { type Page, pageOf } from './page.ts'
import { describeSession, type SDKSessionInfo } from './session-info.ts'
import { findTranscripts, projectFolders, type TranscriptScope } from './transcript-location.ts'

const concurrency = 16

export interface ListSessionsOptions extends TranscriptScope, Page {
  /** With `dir`: the sessions of the repository's other working trees too. True by default. */
  includeWorktrees?: boolean
  /** False leaves out sessions that a program started (entrypoints `sdk-…`). True by default. */
  includeProgrammatic?: boolean
}

/** Sessions by the time of their last change. A transcript that is broken or empty is left out, never an error. */
export async function listSessions(options: ListSessionsOptions = {}): Promise<SDKSessionInfo[]> {
  const { limit, offset } = pageOf(options)
  if (limit === 0) return []
  const files = await findTranscripts(await projectFolders(options, options.includeWorktrees ?? true))
  const found: SDKSessionInfo[] = []
  const wanted = offset + limit
  for (let at = 0; at < files.length && found.length < wanted; ) {
    // Reads no more than may be needed; some of it may turn out to be hidden, hence the loop.
    const batch = files.slice(at, at + Math.min(Math.max(wanted - found.length, concurrency), 1024))
    at += batch.length
    for (const session of await boundedMap(batch, concurrency, describeSession)) {
      if (session === undefined) continue
      if (options.includeProgrammatic === false && session.entrypoint?.startsWith('sdk-')) continue
      found.push(session.info)
    }
  }
  return found.slice(offset, wanted)
}
