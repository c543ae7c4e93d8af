import type { Status } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** How the server is. Its events make this new; a look now and then catches what no event reports. */
export function useStatus(): Status | undefined {
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.getStatus({ signal }),
    refetchInterval: 60_000,
    staleTime: 20_000,
  })
  return data
}
