import { useCallback, useMemo, useRef, useState } from 'react'
import type { LiveSession } from '../live/live-session.ts'
import { createRowCache, makeRows, type Row } from './rows.ts'
import { startingSince, withHanded } from './starting.ts'

/** The rows of a session, and the key of each. `keyAt` changes only when a key does: what grows is not laid out anew. */
export function useRows(state: LiveSession): { rows: readonly Row[]; keyAt: (index: number) => string } {
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
