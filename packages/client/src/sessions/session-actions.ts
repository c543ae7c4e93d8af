/** What can be done with a session from outside of it. Each reports how it went. */
import type { Session } from '@dorkos/shared'
import { api, errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toast.tsx'
import { putSession } from './page-cache.ts'
import { sessionTitle } from './session-title.ts'
import { keepSeen } from './unread-store.ts'

async function reported(work: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work
    if (done !== undefined) toast.ok(done)
    return true
  } catch (error) {
    toast.error(errorText(error))
    return false
  }
}

type Change = Parameters<typeof api.changeSession>[0]['body']

/** Throws where the server refuses. */
export async function changeSession(session: Session, change: NonNullable<Change>): Promise<void> {
  const after = await api.changeSession({ params: { id: session.id }, body: change })
  putSession(after)
  keepSeen(session, after)
}

export function pinSession(session: Session, pinned: boolean): Promise<boolean> {
  return reported(changeSession(session, { pinned }))
}

export async function archiveSession(session: Session, archived: boolean): Promise<boolean> {
  const isDone = await reported(changeSession(session, { archived }))
  const words = archived ? text.sessions.archivedNow : text.sessions.unarchivedNow
  if (isDone) toast.undo(words, () => void reported(changeSession(session, { archived: !archived })))
  return isDone
}

/** The id of the fork; it ends with the message that is named, or has all. */
export async function forkSession(id: string, messageId?: string): Promise<string | undefined> {
  let forkId: string | undefined
  const fork = async () => {
    const body = messageId === undefined ? {} : { message_id: messageId }
    const made = await api.forkSession({ params: { id }, body })
    putSession(made)
    forkId = made.id
  }
  await reported(fork(), text.sessions.forked)
  return forkId
}

export function interruptSession(session: Session): Promise<boolean> {
  return reported(api.interruptSession({ params: { id: session.id }, body: {} }))
}

export function exportSession(session: Session, format: ExportFormat): Promise<boolean> {
  const save = async () => {
    const answer = await api.exportSession({ params: { id: session.id }, query: { format } })
    saveFile(exportFileName(session, format), await answer.blob())
  }
  return reported(save())
}

export async function copySessionLink(session: Session): Promise<void> {
  try {
    await navigator.clipboard.writeText(`${location.origin}/sessions/${session.id}`)
    toast.ok(text.sessions.linkCopied)
  } catch {
    toast.error(text.ui.copyFailed)
  }
}

type ExportFormat = 'markdown' | 'json' | 'html'

/** A name that every file system takes, and that says what is in the file. */
export function exportFileName(
  session: Pick<Session, 'title' | 'first_prompt' | 'id'>,
  format: ExportFormat,
): string {
  const words = sessionTitle(session)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${words || session.id}.${format === 'markdown' ? 'md' : format}`
}
