import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, ScrollText, ShieldCheck } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { api, errorText } from '../api.ts'
import { useCan } from '../auth/auth-store.ts'
import { text } from '../text/page-text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { useFilters } from '../ui/filters.tsx'
import { formatNumber } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { QueryFault } from '../ui/query-view.tsx'
import { Loading } from '../ui/spinner.tsx'
import { type AuditFilter, activeFilters, isFiltered, readFilter, writeFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditList } from './audit-list.tsx'
import { useAudit } from './use-audit.ts'

export function AuditPage() {
  const t = text.audit
  const admin = useCan('admin')
  if (admin) return <AuditLog />
  return (
    <Page title={t.title} description={t.lead}>
      <Notice>{t.needsAdmin}</Notice>
    </Page>
  )
}

function AuditLog() {
  const t = text.audit
  const search = useSearch()
  const [, go] = useLocation()
  const queries = useQueryClient()
  const filter = useMemo(() => readFilter(search), [search])
  const { query, entries } = useAudit(filter, true)
  const chain = useChainCheck()
  const change = (next: AuditFilter) => {
    const written = writeFilter(next)
    go(written === '' ? '/audit' : `/audit?${written}`, { replace: true })
  }
  const filters = useFilters(activeFilters(filter), <AuditFilters filter={filter} onChange={change} />)
  const empty = !query.isPending && !query.hasNextPage && entries.length === 0 && !query.error
  return (
    <Page
      title={t.title}
      description={t.lead}
      wide
      actions={
        <>
          {filters.button}
          {chain.button}
          <IconButton
            label={t.refresh}
            icon={RefreshCw}
            disabled={query.isFetching}
            aria-busy={query.isFetching}
            onClick={() => void queries.resetQueries({ queryKey: ['audit'] })}
          />
        </>
      }
    >
      {chain.result}
      {filters.fields}
      <QueryFault query={query} />
      {query.isPending && <Loading />}
      {empty && (
        <Empty icon={ScrollText} title={isFiltered(filter) ? t.emptyFiltered : t.empty}>
          {isFiltered(filter) ? t.emptyFilteredLead : t.emptyLead}
        </Empty>
      )}
      {!query.isPending && !empty && (
        <AuditList
          key={writeFilter(filter)}
          entries={entries}
          hasMore={query.hasNextPage}
          end={filter.since ? t.endSince : t.end}
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          onMore={() => void query.fetchNextPage()}
          onSession={(session) => change({ ...filter, session })}
        />
      )}
    </Page>
  )
}

/** Has the server check every line's hash. The button, and below the page's head what came out. */
function useChainCheck() {
  const t = text.audit
  const check = useMutation({ mutationFn: () => api.verifyAudit() })
  const button = (
    <Button icon={ShieldCheck} iconOnPhone busy={check.isPending} onClick={() => check.mutate()}>
      {t.check}
    </Button>
  )
  const result = check.isPending ? (
    <Notice tone="neutral">{t.checking}</Notice>
  ) : check.error ? (
    <Notice tone="danger">{errorText(check.error)}</Notice>
  ) : check.data ? (
    <Notice tone={check.data.intact ? 'ok' : 'danger'}>
      {check.data.intact
        ? t.intact(formatNumber(check.data.entries))
        : t.broken(String(check.data.first_fault ?? ''))}
    </Notice>
  ) : null
  return { button, result }
}
