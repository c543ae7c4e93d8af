/** Registers the service worker: the shell opens without a network, and notifications work on phones. */
import { scripts, trustedScript } from './trusted-scripts.ts'

export function registerServiceWorker(): void {
  // Only in secure contexts: https, and localhost.
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const url = trustedScript(scripts.serviceWorker)
  addEventListener('load', () => void navigator.serviceWorker.register(url).catch(() => undefined))
}
