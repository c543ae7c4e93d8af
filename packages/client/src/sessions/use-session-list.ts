/** The list of sessions: pages of the server, and over them what its topic publishes. */
import type { Session } from '@dorkos/shared'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { api } from '../api.ts'
import { live } from '../live/live.ts'
import { useSessions } from '../live/use-live.ts'
import { useWorkspaces } from '../queries/workspaces.ts'
import { useHidden } from './hidden-sessions.ts'
import { dropSession, pagesKey, putSession, reloadPages } from './page-cache.ts'
import { groupSessions, mergeSessions, type SessionFilter, type SessionGroup } from './session-groups.ts'
import { type SessionListPage, withPinned } from './session-pages.ts'

const pageSize = 50
const mostPinned = 200

function usePages(filter: SessionFilter) {
  return useInfiniteQuery<
    SessionListPage,
    Error,
    InfiniteData<SessionListPage>,
    string[],
    string | undefined
  >({
    queryKey: [pagesKey, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: pageSize,
        ...(filter === 'archived' && { archived: 'true' as const }),
        ...(filter === 'terminal' && { origin: 'terminal' as const }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      }
      const isFirst = filter === 'active' && pageParam === undefined
      const [page, pinned] = await Promise.all([
        api.listSessions({ query, signal }),
        isFirst ? api.listSessions({ query: { pinned: 'true', limit: mostPinned }, signal }) : undefined,
      ])
      return pinned ? withPinned(page, pinned.sessions) : page
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.cursor,
    // Events keep it up to date.
    staleTime: 5 * 60_000,
  })
}

export interface SessionListState {
  sessions: readonly Session[]
  groups: readonly SessionGroup[]
  pending: boolean
  error: Error | null
  hasMore: boolean
  loadingMore: boolean
  loadMore: () => void
  retry: () => void
}

export function useSessionList(filter: SessionFilter): SessionListState {
  const query = usePages(filter)
  const published = useSessions()
  const workspaces = useWorkspaces()
  const { data } = query
  const hidden = useHidden()
  const sessions = useMemo(
    () =>
      mergeSessions(data?.pages.flatMap((page) => page.sessions) ?? [], published, filter).filter(
        ({ id }) => !hidden.has(id),
      ),
    [data, published, filter, hidden],
  )
  const groups = useMemo(() => groupSessions(sessions, workspaces), [sessions, workspaces])
  return {
    sessions,
    groups,
    pending: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void (query.isFetchingNextPage || query.fetchNextPage()),
    retry: () => void query.refetch(),
  }
}

const gatherMs = 1500

/** Keeps the pages true: to be used once. Changes of our sessions are published whole; of a terminal's only that there is one. */
export function useListUpkeep(): void {
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const ids = [...changed]
      changed.clear()
      // Many at once are a new index or a restored folder: the list itself says it best.
      if (ids.length > 10) return reloadPages()
      for (const id of ids) void refreshSession(id)
    }
    const stopEvents = live.onServerEvent((event) => {
      if (event.type === 'session_deleted') dropSession(event.session_id)
      if (event.type !== 'transcript_changed') return
      changed.add(event.session_id)
      timer ??= setTimeout(refresh, gatherMs)
    })
    let wasAway = false
    const { connection } = live.store
    const stopConnection = connection.subscribe(() => {
      const { state } = connection.get()
      if (state === 'reconnecting' || state === 'offline') wasAway = true
      if (state !== 'open' || !wasAway) return
      wasAway = false
      reloadPages()
    })
    return () => {
      clearTimeout(timer)
      stopEvents()
      stopConnection()
    }
  }, [])
}

async function refreshSession(id: string): Promise<void> {
  const session = await api.getSession({ params: { id } }).catch(() => undefined)
  if (session) putSession(session)
}
