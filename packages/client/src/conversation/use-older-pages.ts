import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { HistoryState } from '../live/page-session.ts'
import type { Row } from './rows.ts'

interface OlderPagesInput {
  scroller: RefObject<HTMLElement | null>
  rows: readonly Row[]
  history: HistoryState
  loadOlder: () => void
}

const nearTopPixels = 800

/** Asks for older pages while the reader is near the top, or the page is not full. Gives what to call when one scrolls. */
export function useOlderPages({ scroller, rows, history, loadOlder }: OlderPagesInput): () => void {
  const phase = useRef(history.phase)
  phase.current = history.phase
  const check = useCallback(() => {
    const box = scroller.current
    if (box && phase.current === 'idle' && box.scrollTop < nearTopPixels) loadOlder()
  }, [scroller, loadOlder])
  const first = rows[0]?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came in may not fill the screen.
  useEffect(() => {
    if (history.phase !== 'idle') return
    // Two frames: by then the list stands where it belongs.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(check)
    })
    return () => cancelAnimationFrame(frame)
  }, [history.phase, first, check])
  return check
}
