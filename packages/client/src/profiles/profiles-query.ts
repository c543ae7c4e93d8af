import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** Those that a session in the workspace can have; without one, yours and those that come with DorkOS. */
export const profilesQuery = (workspaceId: string | undefined) =>
  queryOptions({
    queryKey: ['profiles', workspaceId ?? ''],
    queryFn: ({ signal }) =>
      api.listProfiles({ query: workspaceId === undefined ? {} : { workspace_id: workspaceId }, signal }),
    // Their files may be written by anybody, and nobody reports that.
    staleTime: 5000,
  })
