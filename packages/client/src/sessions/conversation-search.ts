/** Words in conversations, as the server finds them, and the sessions that they are in. */
import type { EndpointResponse, Session } from '@dorkos/shared'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'

export type Hit = EndpointResponse<'searchSessions'>['hits'][number]

const mostHits = 50

export function searchQuery(words: string) {
  return queryOptions({
    queryKey: ['search', words],
    queryFn: ({ signal }) => api.searchSessions({ query: { q: words, limit: mostHits }, signal }),
    enabled: words !== '',
    staleTime: 30_000,
  })
}

/** The address of what was said there. */
export function pathOfHit({ session_id: id, message_id: message }: Hit): string {
  return `/sessions/${id}${message === undefined ? '' : `#${encodeURIComponent(message)}`}`
}

/** The sessions of the hits; those that the list has not loaded are asked for. */
export function useHitSessions(
  hits: readonly Hit[],
  sessions: readonly Session[],
): ReadonlyMap<string, Session> {
  const listed = useMemo(() => new Map(sessions.map((session) => [session.id, session])), [sessions])
  const missing = [...new Set(hits.map(({ session_id: id }) => id))].filter((id) => !listed.has(id))
  const asked = useQueries({
    queries: missing.map((id) => ({
      queryKey: ['sessions', 'one', id],
      queryFn: () => api.getSession({ params: { id } }),
      staleTime: 60_000,
    })),
  })
  const found = new Map(listed)
  for (const { data } of asked) if (data) found.set(data.id, data)
  return found
}
