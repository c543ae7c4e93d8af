import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export const tokensKey = ['tokens']

export const tokensQuery = queryOptions({
  queryKey: tokensKey,
  queryFn: ({ signal }) => api.listTokens({ signal }),
})

/** All tokens. `often`: somebody is about to sign in. */
export function useTokens({ enabled, often }: { enabled: boolean; often?: boolean }) {
  return useQuery({ ...tokensQuery, enabled, refetchInterval: often ? 3000 : 60_000 })
}
