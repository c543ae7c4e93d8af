/** Whether the end is followed: until the reader goes up, and again once the end is reached. Nothing else ever moves the reader. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { countAfter, type Row } from './rows.ts'
import { hiddenTop, movedUp, type ScrollMark } from './scroll-intent.ts'
import { usePursuit } from './use-pursuit.ts'
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

  const { isActive, isPressing, forget } = useReaderInput(scroller, release)
  const opened = useRef(false)
  const open = useCallback(() => {
    opened.current = now.current.sticks
    release()
  }, [release])

  const settle = useSettling(
    useCallback(() => {
      const box = scroller.current
      if (!box || !now.current.sticks || leftBelow(box) <= 1) return true
      if (isActive()) return false
      toEnd()
      return true
    }, [scroller, isActive, toEnd]),
  )
  // Until the end that the reader asked for is reached, nothing but the reader leaves it.
  const { start: pursue, isUnderway } = usePursuit()
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
      const reader = { scrolls: isActive(), presses: isPressing() || isUnderway() }
      if (movedUp(before, mark, reader)) release()
      else if (!reader.scrolls) toEnd()
    }
    if (now.current.sticks && leftBelow(box) > 1) settle()
  }, [scroller, measured, isActive, isPressing, isUnderway, release, setSticks, toEnd, settle])

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
    const box = scroller.current
    if (box) pursue(box, { arrived: () => leftBelow(box) <= 1, move: toEnd })
  }, [forget, setSticks, toEnd, scroller, pursue])

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

/** Rows that are measured on the way can leave the box a little short of the end, and nothing then says so any more. `correct` is called once they rest, until it is true. */
function useSettling(correct: () => boolean): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const settle = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => correct() || settle(), settleMs)
  }, [correct])
  useEffect(() => () => clearTimeout(timer.current), [])
  return settle
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
