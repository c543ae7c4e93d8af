import { useSyncExternalStore } from 'react'

/** What stands behind `#` in the address: the message or the approval that a link names. */
export function useHash(): string | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return decode(hash.slice(1))
}

/** The router announces its own moves by the last two. */
const moves = ['hashchange', 'popstate', 'pushState', 'replaceState']

function subscribe(listener: () => void): () => void {
  for (const move of moves) addEventListener(move, listener)
  return () => {
    for (const move of moves) removeEventListener(move, listener)
  }
}

function decode(hash: string): string | undefined {
  try {
    return hash === '' ? undefined : decodeURIComponent(hash)
  } catch {
    return undefined
  }
}
