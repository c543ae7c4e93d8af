/** Whether the end is followed: until the reader goes up, and again once the end is reached. Nothing else ever moves the reader. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { countAfter, type Row } from './rows.ts'
import { hiddenTop, movedUp, type ScrollMark } from './scroll-intent.ts'
import { useReaderInput } from './use-reader-input.ts'

interface Sticking {
  onScroll: () => void
  /** The reader opens something: what they are reading stays where it is. */
  open: () => void
  /** The reader leaves the end: what is there has been seen. */
  leave: () => void
  /** There is something to go down to. */
  isAway: boolean
  /** Rows that came since the reader went up. */
  unseen: number
  jump: () => void
}

interface StickingInput {
  scroller: RefObject<HTMLElement | null>
  /** All rows, as high as they are. */
  content: RefObject<HTMLElement | null>
  /** How high they are by the last measurement, drawn so or not. */
  measured: () => number
  rows: readonly Row[]
  sticks: boolean
  setSticks: (sticks: boolean) => void
  toEnd: () => void
  to: (offset: number) => void
}

const nearPixels = 24
/** Long enough for rows to be drawn and measured. */
const settleMs = 150
/** The room below the last row, and the row that only says that the agent works or waits. */
const idlePixels = 104

export function useSticking({
  scroller,
  content,
  measured,
  rows,
  sticks,
  setSticks,
  toEnd,
  to,
}: StickingInput): Sticking {
  const last = useRef<ScrollMark>({ top: 0, height: 0, measured: 0, room: 0 })
  const seen = useRef<string | undefined>(undefined)
  const newest = rows.findLast((row) => row.type !== 'working')?.key
  const now = useRef({ sticks, newest })
  now.current = { sticks, newest }

  const release = useCallback(() => {
    // Opened by a link, the end was never followed.
    if (!now.current.sticks && seen.current !== undefined) return
    seen.current = now.current.newest
    setSticks(false)
  }, [setSticks])

  const { isActive, forget } = useReaderInput(scroller, release)
  const opened = useRef(false)
  const open = useCallback(() => {
    opened.current = now.current.sticks
    release()
  }, [release])

  // Rows that are measured on the way can leave the box a little short of the end, and nothing then says so any more.
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const settle = useCallback(() => {
    clearTimeout(settling.current)
    settling.current = setTimeout(() => {
      const box = scroller.current
      if (!box || !now.current.sticks || leftBelow(box) <= 1) return
      if (isActive()) settle()
      else toEnd()
    }, settleMs)
  }, [scroller, isActive, toEnd])
  useEffect(() => () => clearTimeout(settling.current), [])

  const [below, setBelow] = useState<Below>('nothing')
  const onScroll = useCallback(() => {
    const box = scroller.current
    if (!box) return
    setBelow(whatIsBelow(box))
    const { scrollTop: top, scrollHeight: height, clientHeight: room } = box
    const mark = { top, height, measured: measured(), room }
    const before = last.current
    last.current = mark
    const isNear = leftBelow(box) <= nearPixels
    if (!now.current.sticks) {
      if (isNear && mark.top > before.top) setSticks(true)
    } else if (!isNear) {
      if (movedUp(before, mark, isActive())) release()
      else if (!isActive()) toEnd()
    }
    if (now.current.sticks && leftBelow(box) > 1) settle()
  }, [scroller, measured, isActive, release, setSticks, toEnd, settle])

  const topped = useRef(new Set<string>())
  /** What asks and is too high for the box is read from its top. Each is brought there once, and not while one answers in a panel of it. */
  const showTop = (box: HTMLElement): boolean => {
    const cards = [...box.querySelectorAll<HTMLElement>('[data-approval][data-open]:not(:has([data-panel]))')]
    const card = cards.find(({ dataset }) => !topped.current.has(dataset.approval ?? ''))
    if (!card || !content.current) return false
    const frame = box.getBoundingClientRect()
    const offset = hiddenTop({
      top: card.getBoundingClientRect().top - frame.top + box.scrollTop,
      end: content.current.getBoundingClientRect().bottom - frame.top + box.scrollTop,
      room: box.clientHeight,
    })
    if (offset === undefined) return false
    topped.current.add(card.dataset.approval ?? '')
    open()
    to(offset)
    return true
  }

  // A box that gets smaller (a keyboard, a growing composer) still shows the end.
  useResize(scroller, () => {
    if (scroller.current) setBelow(whatIsBelow(scroller.current))
    if (now.current.sticks) toEnd()
  })
  useResize(content, () => {
    const box = scroller.current
    if (!box) return
    setBelow(whatIsBelow(box))
    if (!now.current.sticks && opened.current && leftBelow(box) <= 1) {
      // What was opened at the end and closed again leads back to it.
      opened.current = false
      setSticks(true)
    }
    // The list follows by itself; where it could not, such as from a page that was not full, its place is corrected.
    requestAnimationFrame(() => {
      if (!now.current.sticks) return
      if (!showTop(box) && leftBelow(box) > 1) toEnd()
    })
  })

  const jump = useCallback(() => {
    // A key or a wheel of a moment ago is not why the box moves from here on.
    forget()
    setSticks(true)
    toEnd()
    settle()
  }, [forget, setSticks, toEnd, settle])

  const unseen = sticks || seen.current === undefined ? 0 : countAfter(rows, seen.current)
  return {
    onScroll,
    open,
    leave: release,
    isAway: !sticks && (below === 'rows' || (below === 'little' && unseen > 0)),
    unseen,
    jump,
  }
}

/** `little`: at most what the end has without anything to read. */
type Below = 'nothing' | 'little' | 'rows'

function whatIsBelow(box: HTMLElement): Below {
  const left = leftBelow(box)
  if (left <= nearPixels) return 'nothing'
  return left <= idlePixels ? 'little' : 'rows'
}

function leftBelow(box: HTMLElement): number {
  return box.scrollHeight - box.clientHeight - box.scrollTop
}

function useResize(target: RefObject<HTMLElement | null>, onResize: () => void): void {
  const call = useRef(onResize)
  call.current = onResize
  useEffect(() => {
    if (!target.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => call.current())
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [target])
}
