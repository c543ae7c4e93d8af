import { useEffect, useMemo, useState } from 'react'
import type { LiveSession } from '../live/live-session.ts'
import { nextToRun, withNextHanded } from './starting.ts'

/** Longer than an agent takes to start. One that waits longer waits for something else, such as a place for its process. */
const patienceMs = 10_000

/** A message that is about to run stands in the conversation at once, not in the queue for a moment. */
export function useNextHanded(state: LiveSession): LiveSession {
  const next = nextToRun(state)
  const [late, setLate] = useState<string>()
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => setLate(next), patienceMs)
    return () => clearTimeout(timer)
  }, [next])
  return useMemo(() => (next === late ? state : withNextHanded(state)), [state, next, late])
}
