/** The workspaces as the server lists them, for every screen that names or offers them. */
import type { Workspace } from '@dorkos/shared'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => api.listWorkspaces({ signal }),
})

const none: readonly Workspace[] = []

/** None until they are known; the same array until they change. */
export function useWorkspaces(): readonly Workspace[] {
  return useQuery(workspacesQuery).data?.workspaces ?? none
}
