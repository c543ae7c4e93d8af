import { type RefObject, useEffect, useReducer, useRef } from 'react'

/** Milliseconds that reading a text may take before it is read less often, and how much of the time it then gets at most. */
const cheap = 6
const share = 1 / 8
const maxPause = 500

/**
 * The text, a little late while it grows and is costly to read; in time when it has ended. `cost`: what reading it took last, in
 * milliseconds; the caller keeps it up to date.
 */
export function useSlowed(text: string, streaming: boolean, cost: RefObject<number>): string {
  const latest = useRef(text)
  const shown = useRef(text)
  const nextAt = useRef(0)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  latest.current = text
  const late =
    streaming && cost.current > cheap && performance.now() < nextAt.current && text.startsWith(shown.current)
  if (!late && shown.current !== text) {
    shown.current = text
    nextAt.current = performance.now() + Math.min(maxPause, cost.current / share)
  }
  const behind = shown.current !== text
  useEffect(() => {
    if (!behind) return
    const timer = setTimeout(draw, Math.max(0, nextAt.current - performance.now()))
    return () => clearTimeout(timer)
  }, [behind])
  return shown.current
}
