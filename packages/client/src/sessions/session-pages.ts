/** The pages of the server's list that are loaded, and what events change in them. */
import type { Session } from '@dorkos/shared'
import type { InfiniteData } from '@tanstack/react-query'

export interface SessionListPage {
  sessions: Session[]
  cursor?: string | undefined
}
export type SessionPages = InfiniteData<SessionListPage, string | undefined>

/** The first page with all that are pinned, however old. Each once. */
export function withPinned(page: SessionListPage, pinned: Session[]): SessionListPage {
  const ids = new Set(pinned.map(({ id }) => id))
  return { ...page, sessions: [...pinned, ...page.sessions.filter(({ id }) => !ids.has(id))] }
}

/** A session in its new version; one that was not there comes first. */
export function withSession(pages: SessionPages, session: Session): SessionPages {
  const isThere = pages.pages.some((page) => page.sessions.some(({ id }) => id === session.id))
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      if (!isThere) return index === 0 ? { ...page, sessions: [session, ...page.sessions] } : page
      return { ...page, sessions: page.sessions.map((one) => (one.id === session.id ? session : one)) }
    }),
  }
}

export function withoutSession(pages: SessionPages, sessionId: string): SessionPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      sessions: page.sessions.filter(({ id }) => id !== sessionId),
    })),
  }
}
