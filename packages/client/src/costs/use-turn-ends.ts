import type { Session } from '@dorkos/shared'
import { useEffect } from 'react'
import { live } from '../live/live.ts'

const gatherMs = 1000

/** Whether a session has more in the ledger than before: it stopped working, or its cost is another. */
export function createTurnWatch(): (session: Pick<Session, 'id' | 'state' | 'cost_usd'>) => boolean {
  const seen = new Map<string, { working: boolean; usd: number | undefined }>()
  return ({ id, state, cost_usd }) => {
    const before = seen.get(id)
    const now = { working: state === 'working' || state === 'waiting', usd: cost_usd }
    seen.set(id, now)
    return before === undefined ? !now.working : (before.working && !now.working) || before.usd !== now.usd
  }
}

/** Calls `onEnd` when turns have ended, once for several at a time. */
export function useTurnEnds(onEnd: () => void): void {
  useEffect(() => {
    const ended = createTurnWatch()
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = live.onServerEvent((event) => {
      if (event.type !== 'session_changed' || !ended(event.session)) return
      timer ??= setTimeout(() => {
        timer = undefined
        onEnd()
      }, gatherMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [onEnd])
}
