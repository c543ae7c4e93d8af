/** What the start page shows of the sessions: what runs, and what has ended since one looked. The sidebar has all. */
import type { Session } from '@dorkos/shared'
import { markOf } from '../sessions/session-mark.ts'

export interface HomeSections {
  readonly working: readonly Session[]
  readonly news: readonly Session[]
}

/** What waits for a person is shown with its question. */
export function homeSections(
  sessions: readonly Session[],
  isUnread: (session: Session) => boolean,
): HomeSections {
  const marked = sessions.map((session) => ({ session, mark: markOf(session, isUnread(session)) }))
  return {
    working: marked.filter(({ mark }) => mark === 'working').map(({ session }) => session),
    news: marked
      .filter(({ session, mark }) => mark !== 'needs-you' && mark !== 'working' && isUnread(session))
      .map(({ session }) => session),
  }
}
