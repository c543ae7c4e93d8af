import type { Session } from '@dorkos/shared'
import { useLocation } from 'wouter'
import { useSessions } from '../live/use-live.ts'
import { useSessionList } from '../sessions/use-session-list.ts'

/** The id in the address of a conversation. */
export function sessionIdOf(path: string): string | undefined {
  return /^\/sessions\/([^/]+)$/.exec(path)?.[1]
}

/** The session whose conversation is open, as far as it is known. */
export function useCurrentSession(): Session | undefined {
  const [path] = useLocation()
  const id = sessionIdOf(path)
  const published = useSessions()
  const { sessions } = useSessionList('active')
  if (id === undefined) return undefined
  return published.find((session) => session.id === id) ?? sessions.find((session) => session.id === id)
}
