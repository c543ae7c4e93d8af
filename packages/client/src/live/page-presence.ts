/** Whether somebody views the page, and when it is worth trying the connection at once. */
export interface PagePresence {
  isHidden(): boolean
  /** False only where the browser is certain that there is no network. */
  isOnline(): boolean
  /** The page became hidden or visible. */
  onVisibility(listener: () => void): () => void
  /** The network is back, or the page came back from the browser's cache. */
  onReturn(listener: () => void): () => void
}

export const browserPresence: PagePresence = {
  isHidden: () => document.visibilityState === 'hidden',
  isOnline: () => navigator.onLine !== false,
  onVisibility(listener) {
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
  onReturn(listener) {
    window.addEventListener('online', listener)
    window.addEventListener('pageshow', listener)
    return () => {
      window.removeEventListener('online', listener)
      window.removeEventListener('pageshow', listener)
    }
  },
}
