import type { Workspace } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api } from '../api.ts'

export interface WorkspaceChoice {
  workspaces: readonly Workspace[]
  /** As it is in the address; undefined is the main one. */
  id: string | undefined
  /** The one that it means, once the list is there. */
  chosen: Workspace | undefined
  choose(id: string): void
}

/** Which workspace a page is about: in its address, so that a link to it stays true. */
export function useWorkspaceChoice(): WorkspaceChoice {
  const [search, setSearch] = useSearchParams()
  const { data } = useQuery({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => api.listWorkspaces({ signal }),
    staleTime: 60_000,
  })
  const workspaces = data?.workspaces ?? []
  const id = search.get('workspace') ?? undefined
  const chosen = workspaces.find((one) => (id === undefined ? one.main : one.id === id))
  return {
    workspaces,
    id,
    chosen,
    choose: (next) => {
      const isMain = workspaces.some((one) => one.id === next && one.main)
      setSearch(isMain ? {} : { workspace: next }, { replace: true })
    },
  }
}
