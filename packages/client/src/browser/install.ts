/** Whether the browser offers to install the page as an app. It says so in an event, which must be kept to ask later. */
import { useSyncExternalStore } from 'react'

interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

let offer: InstallOffer | undefined
const listeners = new Set<() => void>()

function set(next: InstallOffer | undefined): void {
  offer = next
  for (const listener of listeners) listener()
}

function isOffer(event: Event): event is InstallOffer {
  return 'prompt' in event && typeof event.prompt === 'function'
}

export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isOffer(event)) set(event)
  })
  addEventListener('appinstalled', () => set(undefined))
}

/** Asks the browser's own question; undefined where it does not offer to install. */
export function useInstall(): (() => void) | undefined {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => offer,
  )
  if (!now) return undefined
  return () => {
    set(undefined)
    void now.prompt().catch(() => undefined)
  }
}
