/** Titles of sessions for where only their ids are given, such as the ledger and the audit log, which outlive them. */
import { ApiError, type Session } from '@dorkos/shared'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { useSessions } from '../live/use-live.ts'
import { sessionTitle } from '../sessions/session-title.ts'

/** Undefined: not known yet. `gone`: the session was deleted. */
export type SessionName = { readonly title: string } | 'gone' | undefined

async function load(id: string, signal: AbortSignal): Promise<Session | null> {
  try {
    return await api.getSession({ params: { id }, signal })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

/** The live list knows those that something happens in; of others the server is asked once. Keep the ids few. */
export function useSessionTitles(ids: readonly string[]): (id: string) => SessionName {
  const live = useSessions()
  const known = useMemo(() => new Map(live.map((session) => [session.id, sessionTitle(session)])), [live])
  const wanted = useMemo(() => [...new Set(ids)], [ids])
  const asked = useQueries({
    queries: wanted.map((id) => ({
      queryKey: ['session-title', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(id, signal),
      enabled: !known.has(id),
      staleTime: 5 * 60_000,
      retry: false,
    })),
  })
  return (id) => {
    const title = known.get(id)
    if (title !== undefined) return { title }
    const data = asked[wanted.indexOf(id)]?.data
    return data === undefined ? undefined : data === null ? 'gone' : { title: sessionTitle(data) }
  }
}
