/** Sessions that are gone unless somebody takes that back. */
import { useSyncExternalStore } from 'react'

let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export const hiddenSessions = (): ReadonlySet<string> => hidden

/** From now on these, and no others. */
export function hide(next: Iterable<string>): void {
  hidden = new Set(next)
  for (const listener of listeners) listener()
}

export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hiddenSessions)
}
