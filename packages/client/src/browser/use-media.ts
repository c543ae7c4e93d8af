import { useSyncExternalStore } from 'react'

/** Whether a media query fits, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** A phone held upright. As Tailwind's `max-sm`. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 39.99rem)')
}

/** Too narrow for the sidebar beside the page. As Tailwind's `md`. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 47.99rem)')
}
