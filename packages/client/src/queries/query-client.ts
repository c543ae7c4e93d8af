/** The one cache of the server's lists. Events of the server make its entries old (live/query-invalidation.ts). */
import { ApiError } from '@dorkos/shared'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { signedOut } from '../auth/auth-store.ts'

function onError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) signedOut('refused')
}

/** An error of the contract is an answer: asking again gives the same. */
function retry(failures: number, error: unknown): boolean {
  return !(error instanceof ApiError) && failures < 2
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry, staleTime: 10_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
