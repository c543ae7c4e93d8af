/** What the start page shows of the sessions: each session once, where it matters most. */
import type { Session } from '@dorkos/shared'
import { markOf } from '../sessions/session-mark.ts'

export interface HomeSections {
  readonly working: readonly Session[]
  readonly news: readonly Session[]
  readonly recent: readonly Session[]
  /** The one that was open last in this browser. */
  readonly last: Session | undefined
}

const mostRecent = 8

export function homeSections(
  sessions: readonly Session[],
  isUnread: (session: Session) => boolean,
  lastId: string | undefined,
): HomeSections {
  const marked = sessions.map((session) => ({ session, mark: markOf(session, isUnread(session)) }))
  const of = (wanted: string) => marked.filter(({ mark }) => mark === wanted).map(({ session }) => session)
  const working = of('working')
  const news = marked
    .filter(({ session, mark }) => mark !== 'needs-you' && mark !== 'working' && isUnread(session))
    .map(({ session }) => session)
  // What waits for a person is shown with its question.
  const shown = new Set([...of('needs-you'), ...working, ...news].map(({ id }) => id))
  const last = sessions.find(({ id }) => id === lastId && !shown.has(id))
  const recent = sessions.filter(({ id }) => !shown.has(id) && id !== last?.id).slice(0, mostRecent)
  return { working, news, recent, last }
}
