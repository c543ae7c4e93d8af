import { useSyncExternalStore } from 'react'

const changes = ['hashchange', 'popstate', 'pushState', 'replaceState']

/** What follows `#` in the address; empty when there is nothing. */
export function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      for (const name of changes) addEventListener(name, listener)
      return () => {
        for (const name of changes) removeEventListener(name, listener)
      }
    },
    () => location.hash.slice(1),
  )
}
