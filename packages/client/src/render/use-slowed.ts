import { useEffect, useReducer, useRef } from 'react'

/** A long text is read again at most so often while it grows. */
const pause = 150
const longText = 40_000

/** The text, a little late while it is long and growing; in time when it has ended. */
export function useSlowed(text: string, streaming: boolean): string {
  const slow = streaming && text.length > longText
  const latest = useRef(text)
  const shown = useRef(text)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  latest.current = text
  if (!slow || !text.startsWith(shown.current)) shown.current = text
  useEffect(() => {
    if (!slow) return
    const timer = setInterval(() => {
      if (shown.current === latest.current) return
      shown.current = latest.current
      draw()
    }, pause)
    return () => clearInterval(timer)
  }, [slow])
  return shown.current
}
