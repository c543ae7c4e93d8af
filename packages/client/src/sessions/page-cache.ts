/** The loaded pages of the session list, changed in place by what is known for sure. */
import type { Session } from '@dorkos/shared'
import { live } from '../live/live.ts'
import { queryClient } from '../queries/query-client.ts'
import { type SessionPages, withoutSession, withSession } from './session-pages.ts'

export const pagesKey = 'session-pages'

function changePages(change: (pages: SessionPages) => SessionPages): void {
  queryClient.setQueriesData<SessionPages>({ queryKey: [pagesKey] }, (pages) => pages && change(pages))
}

/** A session as the server just gave it. Each list shows it only where it fits. */
export function putSession(session: Session): void {
  changePages((pages) => withSession(pages, session))
  // What the topic published counts more where both are as old: a change of the record alone does not move the time.
  const { sessions } = live.store
  const isOlder = (one: Session) => one.id === session.id && one.updated_at <= session.updated_at
  if (sessions.now().some(isOlder)) sessions.set(sessions.now().map((one) => (isOlder(one) ? session : one)))
}

export function dropSession(sessionId: string): void {
  changePages((pages) => withoutSession(pages, sessionId))
}

export function reloadPages(): void {
  void queryClient.invalidateQueries({ queryKey: [pagesKey] })
}
