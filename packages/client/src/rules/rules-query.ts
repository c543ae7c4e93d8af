import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** All rules. Events of the server make all of `['rules', …]` new. */
export const rulesQuery = (revoked: boolean) =>
  queryOptions({
    queryKey: ['rules', { revoked }],
    queryFn: ({ signal }) => api.listRules({ query: { revoked: revoked ? 'true' : 'false' }, signal }),
  })
