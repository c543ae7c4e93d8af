import type { Workspace } from '@dorkos/shared'
import { useSearchParams } from 'wouter'
import { useWorkspaces } from '../queries/workspaces.ts'

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
  const workspaces = useWorkspaces()
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
