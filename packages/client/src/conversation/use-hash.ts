import { useSyncExternalStore } from 'react'

/** What stands behind `#` in the address: the message that a link names. */
export function useHash(): string | undefined {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return decode(hash.slice(1))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  window.addEventListener('popstate', listener)
  return () => {
    window.removeEventListener('hashchange', listener)
    window.removeEventListener('popstate', listener)
  }
}

function decode(hash: string): string | undefined {
  try {
    return hash === '' ? undefined : decodeURIComponent(hash)
  } catch {
    return undefined
  }
}
