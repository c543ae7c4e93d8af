/** Changes of many sessions at once, each of which can be taken back. */
import type { Session } from '@dorkos/shared'
import { useSyncExternalStore } from 'react'
import { api, errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { toast, undoMs } from '../ui/toast.tsx'
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

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()
function hide(next: Iterable<string>): void {
  hidden = new Set(next)
  for (const listener of listeners) listener()
}

/** Sessions that are gone unless somebody takes it back. */
export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hidden,
  )
}

/** They leave the list at once and the disk once it is too late to take that back; a page that is closed before deletes nothing. */
export function deleteAll(sessions: readonly Session[]): void {
  const ids = new Set(sessions.map(({ id }) => id))
  hide([...hidden, ...ids])
  const show = () => hide([...hidden].filter((id) => !ids.has(id)))
  const timer = setTimeout(() => {
    void each(sessions, async ({ id }) => {
      await api.deleteSession({ params: { id } })
      dropSession(id)
    }).then(show)
  }, undoMs)
  toast.undo(words.deleting(ids.size), () => {
    clearTimeout(timer)
    show()
  })
}
