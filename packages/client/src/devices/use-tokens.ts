import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export const tokensKey = ['tokens']

/** All tokens. `often`: somebody is about to sign in. */
export function useTokens(options: { enabled: boolean; often?: boolean }) {
  return useQuery({
    queryKey: tokensKey,
    queryFn: ({ signal }) => api.listTokens({ signal }),
    enabled: options.enabled,
    refetchInterval: options.often ? 3000 : 60_000,
  })
}
