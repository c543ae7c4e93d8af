/** Notifies the server that somebody is about to write, so that a process can be ready for the first words. */
import { useEffect, useRef } from 'react'

/** Who only passes by needs none. */
const restMs = 400
/** The server forgets who says nothing for longer than a minute. */
const againMs = 30_000

/**
 * Asks while the page is seen: a moment after `what` became what it is, and again as long as it stays. Undefined: nothing is asked for.
 * Nothing depends on the answer.
 */
export function useReadyProcess(what: string | undefined, ask: () => Promise<unknown>): void {
  const newest = useRef(ask)
  newest.current = ask
  useEffect(() => {
    if (what === undefined) return
    const askIfSeen = () => {
      if (document.visibilityState === 'visible') newest.current().catch(() => undefined)
    }
    const first = setTimeout(askIfSeen, restMs)
    const again = setInterval(askIfSeen, againMs)
    document.addEventListener('visibilitychange', askIfSeen)
    return () => {
      clearTimeout(first)
      clearInterval(again)
      document.removeEventListener('visibilitychange', askIfSeen)
    }
  }, [what])
}
