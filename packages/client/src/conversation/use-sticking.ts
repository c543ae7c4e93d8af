/** Whether the end is followed: until the reader goes up, and again once the end is reached. Nothing else ever moves the reader. */
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { countAfter, type Row } from './rows.ts'

interface Sticking {
  onScroll: () => void
  onWheel: (event: { deltaY: number }) => void
  /** Rows that came since the reader went up. */
  unseen: number
  jump: () => void
}

interface StickingInput {
  scroller: RefObject<HTMLElement | null>
  rows: readonly Row[]
  sticks: boolean
  setSticks: (sticks: boolean) => void
  toEnd: () => void
}

const nearPixels = 24

export function useSticking({ scroller, rows, sticks, setSticks, toEnd }: StickingInput): Sticking {
  const last = useRef(0)
  const seen = useRef<string | undefined>(undefined)
  const newest = rows.findLast((row) => row.type !== 'working')?.key
  const now = useRef({ sticks, newest })
  now.current = { sticks, newest }

  const release = useCallback(() => {
    if (!now.current.sticks) return
    seen.current = now.current.newest
    setSticks(false)
  }, [setSticks])

  const onScroll = useCallback(() => {
    const box = scroller.current
    if (!box) return
    const left = box.scrollHeight - box.clientHeight - box.scrollTop
    // A box that got shorter is moved up by the browser, but then stands at its end.
    if (box.scrollTop < last.current - 1 && left > nearPixels) release()
    else if (box.scrollTop > last.current && left <= nearPixels && !now.current.sticks) setSticks(true)
    last.current = box.scrollTop
  }, [scroller, release, setSticks])

  const onWheel = useCallback(
    ({ deltaY }: { deltaY: number }) => {
      const box = scroller.current
      if (deltaY < 0 && box && box.scrollHeight > box.clientHeight + 1) release()
    },
    [scroller, release],
  )

  // A box that gets smaller (a keyboard, a growing composer) still shows the end.
  useEffect(() => {
    const box = scroller.current
    if (!box || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      if (now.current.sticks) toEnd()
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller, toEnd])

  const jump = useCallback(() => {
    setSticks(true)
    toEnd()
  }, [setSticks, toEnd])

  return {
    onScroll,
    onWheel,
    unseen: sticks || seen.current === undefined ? 0 : countAfter(rows, seen.current),
    jump,
  }
}
