import { useSyncExternalStore } from 'react'
import { live } from '../live/live.ts'

/** How the page stands with the server, without the seconds that `useConnection` counts. */
export function useConnectionState() {
  const { subscribe, get } = live.store.connection
  return useSyncExternalStore(subscribe, () => get().state)
}
