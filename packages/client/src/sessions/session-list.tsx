import type { Session } from '@dorkos/shared'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import { errorText } from '../api.ts'
import { useRemembered } from '../browser/remembered.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { DisclosureButton } from '../ui/disclosure.tsx'
import { Notice } from '../ui/notice.tsx'
import { Loading, Spinner } from '../ui/spinner.tsx'
import { VirtualRow } from '../ui/virtual-row.tsx'
import { type ListRow, listRows, type SessionFilter } from './session-groups.ts'
import { SelectRow, SessionRow } from './session-row.tsx'
import { useUnread } from './unread-store.ts'
import { useSessionList } from './use-session-list.ts'

const overscan = 8

interface SessionListProps {
  filter: SessionFilter
  /** What scrolls. */
  scroller: RefObject<HTMLElement | null>
  /** While some are being selected: which, and what a press does. */
  selection?: { ids: ReadonlySet<string>; toggle: (session: Session) => void } | undefined
}

/** All sessions by workspace. However many there are, only those in sight are in the page. */
export function SessionList({ filter, scroller, selection }: SessionListProps) {
  const [path] = useLocation()
  const list = useSessionList(filter)
  const unread = useUnread()
  const [stored, setStored] = useRemembered('dorkos.groups.closed')
  const closed = useMemo(() => new Set(stored?.split('\n')), [stored])
  const rows = useMemo(() => listRows(list.groups, closed), [list.groups, closed])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'group' ? 24 : 32),
    getItemKey: (index) => keyOf(rows[index]),
    overscan,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  const { hasMore, loadingMore, loadMore } = list
  const atEnd = last >= rows.length - 5
  // What was loaded may lie in closed groups: without new rows the next page waits for the button.
  const rowsBefore = useRef(-1)
  useEffect(() => {
    if (!atEnd || !hasMore || loadingMore || rowsBefore.current === rows.length) return
    rowsBefore.current = rows.length
    loadMore()
  })
  const toggle = (key: string) => {
    const next = new Set(closed)
    if (!next.delete(key)) next.add(key)
    const kept = [...next].filter((one) => one !== '').slice(-200)
    setStored(kept.length === 0 ? undefined : kept.join('\n'))
  }
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const target = steppedRow(event, rows.length)
    if (target === undefined) return
    event.preventDefault()
    virtual.scrollToIndex(target)
    focusRow(event.currentTarget, target)
  }
  if (list.pending && rows.length === 0) return <Loading />
  return (
    <>
      {list.error && (
        <div className="px-2 pb-2">
          <Notice
            tone="danger"
            action={
              <Button size="sm" onClick={list.retry}>
                {text.ui.retry}
              </Button>
            }
          >
            {errorText(list.error)}
          </Notice>
        </div>
      )}
      {rows.length === 0 && !list.error && (
        <p className="px-3 py-2 text-sm text-faint">{text.sessions.empty[filter]}</p>
      )}
      <ul
        onKeyDown={step}
        aria-label={text.sessions.heading}
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {items.map((item) => {
          const { index } = item
          const row = rows[index]
          if (!row) return null
          return (
            <VirtualRow key={item.key} virtual={virtual} item={item}>
              {row.kind === 'group' ? (
                <GroupRow row={row} index={index} more={hasMore} onToggle={() => toggle(row.group.key)} />
              ) : selection ? (
                <SelectRow
                  session={row.session}
                  index={index}
                  checked={selection.ids.has(row.session.id)}
                  onToggle={() => selection.toggle(row.session)}
                />
              ) : (
                <SessionRow
                  session={row.session}
                  index={index}
                  current={path === `/sessions/${row.session.id}`}
                  unread={unread(row.session)}
                />
              )}
            </VirtualRow>
          )
        })}
      </ul>
      {hasMore && !loadingMore && (
        <Button variant="ghost" size="sm" onClick={loadMore} className="w-full">
          {text.sessions.loadMore}
        </Button>
      )}
      {loadingMore && (
        <p role="status" className="flex items-center gap-2 px-3 py-2 text-xs text-faint">
          <Spinner size={12} /> {text.sessions.loadingMore}
        </p>
      )}
    </>
  )
}

function keyOf(row: ListRow | undefined): string {
  if (!row) return ''
  return row.kind === 'group' ? row.group.key : row.session.id
}

/** Where the arrow keys lead; undefined for other keys, and for those that a menu handles. */
function steppedRow(
  { key, target, altKey, ctrlKey, metaKey }: KeyboardEvent,
  count: number,
): number | undefined {
  if (altKey || ctrlKey || metaKey || !(target instanceof HTMLElement)) return undefined
  const from = Number(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? Number.NaN)
  if (Number.isNaN(from)) return undefined
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 }[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1)
}

/** A row that was out of sight is drawn first. */
function focusRow(list: HTMLElement, index: number, tries = 5): void {
  const row = list.querySelector<HTMLElement>(`[data-row="${index}"]`)
  if (row) return row.focus()
  if (tries > 0) requestAnimationFrame(() => focusRow(list, index, tries - 1))
}

interface GroupRowProps {
  row: Extract<ListRow, { kind: 'group' }>
  index: number
  /** There are older sessions that are not loaded. */
  more: boolean
  onToggle: () => void
}

/** The head of a workspace's sessions; opens and closes them. */
function GroupRow({ row: { group, open }, index, more, onToggle }: GroupRowProps) {
  const count = text.sessions.groupCount(group.sessions.length, more && group.key !== 'pinned')
  return (
    <DisclosureButton
      open={open}
      onToggle={onToggle}
      data-row={index}
      title={group.path ?? group.title}
      className="flex h-6 max-md:h-10 w-full items-center gap-1 rounded-md px-1 text-xs font-medium text-soft hover:text-text"
    >
      <bdi className="min-w-0 truncate">{group.title}</bdi>
      <span className="ml-auto shrink-0 pr-1 font-normal text-faint tabular-nums">{count}</span>
    </DisclosureButton>
  )
}
