import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { live } from '../live/live.ts'
import { type AuditFilter, auditQuery, fitsFilter, isWithin } from './audit-filter.ts'

const pageSize = 200

/** Pages of the log, newest first, as far as they were asked for. */
export function useAudit(filter: AuditFilter, enabled: boolean) {
  const asked = auditQuery(filter)
  const query = useInfiniteQuery({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      api.listAudit({
        query: { ...asked, limit: pageSize, ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries: some, before }) => {
      const last = some.at(-1)
      return last && isWithin(last, filter, serverNow()) ? before : undefined
    },
    enabled,
    // Fetched again when a person asks: lines that move while one reads them help nobody.
    staleTime: Number.POSITIVE_INFINITY,
    // A log that was left is begun anew: else all of its pages would be asked for again.
    gcTime: 0,
  })
  const entries = useMemo(() => {
    const now = serverNow()
    return (
      query.data?.pages.flatMap((page) => page.entries).filter((entry) => fitsFilter(entry, filter, now)) ??
      []
    )
  }, [query.data, filter])
  return { query, entries }
}

function serverNow(): number {
  return Date.now() + live.store.clockOffset.now()
}
