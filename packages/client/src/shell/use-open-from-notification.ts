import { useEffect, useRef } from 'react'

/** A click on a notification names what to open (public/sw.js). */
export function useOpenFromNotification(go: (path: string) => void): void {
  const latest = useRef(go)
  latest.current = go
  useEffect(() => {
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined
    const open = ({ data }: MessageEvent<unknown>) => {
      const path = pathOf(data)
      if (path !== undefined) latest.current(path)
    }
    worker?.addEventListener('message', open)
    return () => worker?.removeEventListener('message', open)
  }, [])
}

/** An address of this page, and nothing else. */
export function pathOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, path } = data as { type?: unknown; path?: unknown }
  if (type !== 'dorkos:open' || typeof path !== 'string') return undefined
  return /^\/(?![/\\])/.test(path) ? path : undefined
}
