/** The conversation, of which only what is in sight is in the document. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ComponentType, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PageSession } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { HistoryRow } from './history-row.tsx'
import { NewMessagesButton } from './new-messages-button.tsx'
import { createRowCache, makeRows, type Row } from './rows.ts'
import { startingSince, withHanded } from './starting.ts'
import { useLinkTarget } from './use-link-target.ts'
import { useOlderPages } from './use-older-pages.ts'
import { useSticking } from './use-sticking.ts'

type RowComponent = ComponentType<{ row: Row }>

interface MessageListProps {
  state: PageSession
  /** Draws one row. */
  row: RowComponent
  /** What a link names: a key of an item or a message. */
  target?: string | undefined
  /** Each time that it grows the end is shown and followed. */
  follows?: number
  loadOlder: () => void
}

/** Room for what stands above the first row. */
const topRoom = 56
/** What is at the end can be brought clear of the button that leads to it. */
const endRoom = 56

export function MessageList({ state, row, target, follows = 0, loadOlder }: MessageListProps) {
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { rows, keyAt } = useRows(state)
  const rowsNow = useRef(rows)
  rowsNow.current = rows
  const [sticks, setSticks] = useState(target === undefined)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyAt,
    estimateSize: useCallback((index: number) => guessHeight(rowsNow.current[index]), []),
    overscan: 8,
    paddingStart: topRoom,
    paddingEnd: endRoom,
    // The end of the last row is the end of all.
    scrollPaddingEnd: endRoom,
    // Rows keep their distance to the end: older pages come in above without moving what is read, and what grows at the
    // end is followed while the reader is there.
    anchorTo: 'end',
    followOnAppend: sticks,
    scrollEndThreshold: sticks ? 80 : -1,
  })
  const toEnd = useCallback(() => virtualizer.scrollToEnd(), [virtualizer])
  const to = useCallback((offset: number) => virtualizer.scrollToOffset(offset), [virtualizer])
  const measured = useCallback(() => virtualizer.getTotalSize(), [virtualizer])
  const sticking = useSticking({ scroller, content, measured, rows, sticks, setSticks, toEnd, to })
  useFollows(follows, sticking.jump)
  const onScroll = useOlderPages({ scroller, rows, history: state.history, loadOlder })
  const shine = useLinkTarget({
    rows,
    target,
    history: state.history,
    loadOlder,
    virtualizer,
    setSticks,
    leaveEnd: sticking.leave,
  })
  useFirstEnd(rows.length > 0 && target === undefined, toEnd)
  const shown = virtualizer.getVirtualItems()
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached and scrolled by keys.
        tabIndex={0}
        aria-label={text.conversation.list}
        onClickCapture={(event) => {
          if (opensSomething(event.target)) sticking.open()
        }}
        onFocus={(event) => {
          // A panel that was opened by a key.
          if (sticks && event.target.closest('[data-panel]')) sticking.open()
        }}
        onScroll={() => {
          sticking.onScroll()
          onScroll()
        }}
        className="group/list h-full overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-offset-[-3px]"
      >
        {/* Headings of what agents write come below it. */}
        <h2 className="sr-only">{text.conversation.list}</h2>
        <div ref={content} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          <HistoryRow history={state.history} empty={rows.length === 0} onRetry={loadOlder} />
          <div
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}
          >
            {shown.map(({ index, key }) => {
              const one = rows[index]
              return (
                one && (
                  <div key={key} data-index={index} data-key={one.key} ref={virtualizer.measureElement}>
                    <RowSlot row={one} content={row} shine={shine === one.key} />
                  </div>
                )
              )
            })}
          </div>
        </div>
      </section>
      {sticking.isAway && <NewMessagesButton count={sticking.unseen} onPress={sticking.jump} />}
    </div>
  )
}

/** Drawn again only when its row is another one. */
const RowSlot = memo(function RowSlot({ row, content: Content, shine }: RowSlotProps) {
  return (
    <div
      className={`mx-auto w-full max-w-3xl px-4 sm:px-6 ${shine ? 'rounded-lg bg-mark motion-safe:transition-colors' : ''}`}
    >
      <Content row={row} />
    </div>
  )
})

interface RowSlotProps {
  row: Row
  content: RowComponent
  shine: boolean
}

function opensSomething(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button[aria-expanded=false]') !== null
}

function useFollows(follows: number, jump: () => void): void {
  useEffect(() => {
    if (follows > 0) jump()
  }, [follows, jump])
}

/** A conversation opens at its end. */
function useFirstEnd(ready: boolean, toEnd: () => void): void {
  useEffect(() => {
    if (ready) toEnd()
  }, [ready, toEnd])
}

/** Near enough: what a row really takes is measured when it is drawn. */
function guessHeight(row: Row | undefined): number {
  if (row === undefined || row.type !== 'item') return 40
  const { item } = row
  if (item.kind === 'text') return Math.min(84 + Math.ceil(item.text.length / 90) * 24, 2000)
  if (item.kind === 'user') return 88
  return 40
}

/** The rows of a session, and the key of each. `keyAt` changes only when a key does: what grows is not laid out anew. */
function useRows(state: PageSession): { rows: readonly Row[]; keyAt: (index: number) => string } {
  const [cache] = useState(createRowCache)
  const working = state.turn !== undefined || startingSince(state) !== undefined
  const begins = state.history.phase === 'complete'
  const rows = useMemo(
    () => makeRows(withHanded(state.items, state.handed), cache, { working, begins }),
    [state.items, state.handed, cache, working, begins],
  )
  const keyed = useRef(rows)
  if (!haveSameKeys(keyed.current, rows)) keyed.current = rows
  const stable = keyed.current
  const keyAt = useCallback((index: number) => stable[index]?.key ?? `none:${index}`, [stable])
  return { rows, keyAt }
}

function haveSameKeys(a: readonly Row[], b: readonly Row[]): boolean {
  return a === b || (a.length === b.length && a.every((row, index) => row.key === b[index]?.key))
}
