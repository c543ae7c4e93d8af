/** What components read of the live part. */
import type { Approval, Session } from '@dorkos/shared'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type ConnectionView, connectionAt } from './connection-state.ts'
import { live } from './live.ts'
import type { Topic } from './live-topic.ts'
import type { PageSession } from './page-session.ts'

function useTopic<T>(topic: Topic<T>): T {
  return useSyncExternalStore(topic.subscribe, topic.get)
}

/** One session, followed while the component is there. */
export function useSession(id: string): PageSession {
  const state = useTopic(live.store.session(id))
  useEffect(() => live.follow(id), [id])
  return state
}

/** The sessions that the server's topic published, as they are now; the newest change first. Older ones are in the server's list. */
export function useSessions(): readonly Session[] {
  return useTopic(live.store.sessions)
}

/** Open approvals of all sessions, the oldest first. */
export function useApprovals(): readonly Approval[] {
  return useTopic(live.store.approvals)
}

const secondMs = 1000

/** How the page stands with the server; counts on each second while the connection is not open. */
export function useConnection(): ConnectionView {
  const connection = useTopic(live.store.connection)
  const [now, setNow] = useState(Date.now)
  const isOpen = connection.state === 'open'
  useEffect(() => {
    if (isOpen) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), secondMs)
    return () => clearInterval(timer)
  }, [isOpen])
  return connectionAt(connection, now)
}

/** The server's clock less this browser's, in milliseconds: `Date.now() + offset` is the server's time. */
export function useServerClock(): number {
  return useTopic(live.store.clockOffset)
}
