/**
 * Naming, tagging and deleting a session on disk. A CLI process that has the session open keeps the title it knows and
 * writes it again: rename a live session through that process (`rename_session`), not here.
 */
import { lstat, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanTag, cleanTitle } from './session-note.ts'
import { requireTranscript, type TranscriptScope } from './transcript-location.ts'
import { appendEntries, createFile } from './transcript-write.ts'

export type SessionMutationOptions = TranscriptScope

/** Gives a session a title, as the CLI's `/rename` does. */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionMutationOptions = {},
): Promise<void> {
  const customTitle = cleanTitle(title)
  const file = await requireTranscript(sessionId, options)
  await appendEntries(file.path, [{ type: 'custom-title', customTitle, sessionId }])
  // The CLI keeps the title here too and prefers it to one far up in the transcript, so an older one must not stay.
  const side = await lstat(file.sideFolder).catch(() => undefined)
  if (side !== undefined && !side.isDirectory()) return
  await createFile(join(file.sideFolder, 'custom-title.json'), async (handle) => {
    await handle.writeFile(JSON.stringify({ customTitle }))
  })
}

/** Gives a session a tag; `null` takes it away. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options: SessionMutationOptions = {},
): Promise<void> {
  const value = tag === null ? '' : cleanTag(tag)
  const file = await requireTranscript(sessionId, options)
  await appendEntries(file.path, [{ type: 'tag', tag: value, sessionId }])
}

/** Deletes a session's transcript and those of its subagents. Links are removed, never followed. */
export async function deleteSession(sessionId: string, options: SessionMutationOptions = {}): Promise<void> {
  const file = await requireTranscript(sessionId, options)
  // The transcript goes last: if this fails half-way, the session is still found and the call can be repeated.
  await rm(file.sideFolder, { recursive: true, force: true })
  await unlink(file.path)
}
