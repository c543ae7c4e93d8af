import type { AuditEntry } from '@dorkos/shared'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { VirtualRow } from '../ui/virtual-row.tsx'
import { AuditRow } from './audit-row.tsx'

const rowHeight = 41
/** Pages in which nothing fitted, after which a person must ask for the next. */
const mostInVain = 5

interface AuditListProps {
  entries: readonly AuditEntry[]
  hasMore: boolean
  /** What to say below the last line. */
  end: string
  loading: boolean
  /** Older lines could not be had; they are asked for again only by a person. */
  failed: boolean
  onMore: () => void
  onSession: (id: string) => void
}

/** However long the log is, only the lines in sight are in the page. Older ones are asked for on the way down. */
export function AuditList({ entries, hasMore, end, loading, failed, onMore, onSession }: AuditListProps) {
  const t = text.audit
  const list = useRef<HTMLUListElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scrollParent(list.current),
    estimateSize: () => rowHeight,
    getItemKey: (index) => entries[index]?.id ?? index,
    scrollMargin: list.current?.offsetTop ?? 0,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const atEnd = (items.at(-1)?.index ?? -1) >= entries.length - 20
  const search = useRef({ found: 0, pages: 0 })
  useEffect(() => {
    if (!atEnd || !hasMore || loading || failed) return
    if (search.current.found !== entries.length) search.current = { found: entries.length, pages: 0 }
    if (search.current.pages >= mostInVain) return
    search.current.pages += 1
    onMore()
  })
  const toggle = (id: number) => {
    const next = new Set(opened)
    if (!next.delete(id)) next.add(id)
    setOpened(next)
  }
  return (
    <>
      <ul ref={list} aria-label={t.list} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const entry = entries[item.index]
          if (!entry) return null
          return (
            <VirtualRow key={item.key} virtual={virtual} item={item}>
              <AuditRow
                entry={entry}
                open={opened.has(entry.id)}
                onToggle={() => toggle(entry.id)}
                onSession={onSession}
              />
            </VirtualRow>
          )
        })}
      </ul>
      <div role="status" className="flex items-center justify-center gap-2 py-2 text-sm text-faint">
        {loading ? (
          <>
            <Spinner /> {t.loadingMore}
          </>
        ) : hasMore ? (
          <Button size="sm" variant="ghost" onClick={onMore}>
            {t.more}
          </Button>
        ) : (
          end
        )}
      </div>
    </>
  )
}

/** What scrolls around an element. */
function scrollParent(element: HTMLElement | null): HTMLElement | null {
  for (let here = element?.parentElement ?? null; here; here = here.parentElement) {
    const { overflowY } = getComputedStyle(here)
    if (overflowY === 'auto' || overflowY === 'scroll') return here
  }
  return null
}
