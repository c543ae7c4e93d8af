/** Names of sessions and workspaces, for where only their ids are given. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useSessions } from '../live/use-live.ts'
import { sessionTitle } from '../sessions/session-title.ts'
import { useWorkspaces } from './workspaces.ts'

/** The live list knows those that something happened in; of others the server is asked. */
export function useSessionName(id: string): string {
  const known = useSessions().find((session) => session.id === id)
  const asked = useQuery({
    queryKey: ['sessions', 'one', id],
    queryFn: ({ signal }) => api.getSession({ params: { id }, signal }),
    enabled: known === undefined && id !== '',
    staleTime: 60_000,
    retry: false,
  })
  return sessionTitle(known ?? asked.data ?? {})
}

export function useWorkspaceName(id: string | undefined): string | undefined {
  const found = useWorkspaces().find((workspace) => workspace.id === id)
  return id === undefined ? undefined : (found?.name ?? id)
}
