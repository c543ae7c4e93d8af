/** Changes of many sessions at once, each of which can be taken back. */
import type { Session } from '@dorkos/shared'
import { api, errorText } from '../api.ts'
import { text } from '../text/later-text.ts'
import { toast, undoMs } from '../ui/toast.tsx'
import { hiddenSessions, hide } from './hidden-sessions.ts'
import { dropSession } from './page-cache.ts'
import { changeSession } from './session-actions.ts'

const words = text.bulk
/** At once: the server has other work too. */
const together = 4

/** Runs over all of them, whatever becomes of one. Returns those that it worked for, and says why it did not for others. */
async function each(
  sessions: readonly Session[],
  work: (session: Session) => Promise<unknown>,
): Promise<Session[]> {
  const done: Session[] = []
  const faults: unknown[] = []
  const left = [...sessions]
  const run = async () => {
    for (let session = left.shift(); session; session = left.shift())
      await work(session).then(
        () => done.push(session),
        (error: unknown) => faults.push(error),
      )
  }
  await Promise.all(Array.from({ length: together }, run))
  if (faults.length > 0) toast.error(words.failed(faults.length, errorText(faults[0])))
  return done
}

export async function archiveAll(sessions: readonly Session[], archived: boolean): Promise<void> {
  const done = await each(sessions, (session) => changeSession(session, { archived }))
  if (done.length === 0) return
  const message = archived ? words.archived(done.length) : words.unarchived(done.length)
  const undo = () => each(done, (session) => changeSession(session, { archived: !archived }))
  toast.undo(message, () => void undo())
}

/**
 * They leave this page's list at once, and the disk when it is too late to take that back. Who leaves the page meanwhile has said what they
 * want: they are deleted then.
 */
export function deleteAll(sessions: readonly Session[]): void {
  const ids = new Set(sessions.map(({ id }) => id))
  hide([...hiddenSessions(), ...ids])
  const show = () => hide([...hiddenSessions()].filter((id) => !ids.has(id)))
  const settle = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
  }
  const remove = async ({ id }: Session, keepalive: boolean) => {
    await api.deleteSession({ params: { id }, keepalive })
    dropSession(id)
  }
  const leave = () => {
    settle()
    for (const session of sessions) void remove(session, true).catch(() => undefined)
  }
  const timer = setTimeout(() => {
    settle()
    void each(sessions, (session) => remove(session, false)).then((done) => {
      show()
      if (done.length > 0) toast.ok(words.deleted(done.length))
    })
  }, undoMs)
  addEventListener('pagehide', leave)
  toast.undo(words.deleting(ids.size), () => {
    settle()
    show()
  })
}
