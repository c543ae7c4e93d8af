/** Parts that a first look does not need. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Spinner } from './spinner.tsx'

const waiting: (() => Promise<unknown>)[] = []

/** Has `load` called when the page is at rest. What is returned calls it earlier, and may be called again after a failure. */
export function fetchLater(load: () => Promise<unknown>): () => Promise<unknown> {
  waiting.push(load)
  return load
}

/** A component of another file. Until it is there, a small sign stands in its place. */
export function deferred<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  fetchLater(load)
  const Loaded = lazy(async () => ({ default: await load() }))
  return (props: P) => (
    <Suspense fallback={<Spinner />}>
      <Loaded {...props} />
    </Suspense>
  )
}

/** Fetches them one after the other, while the browser has nothing else to do. One that does not come is asked for again when it is used. */
export function fetchDeferred(): void {
  const next = () => {
    const load = waiting.shift()
    if (!load) return
    whenIdle(() => {
      load()
        .catch(() => undefined)
        .finally(next)
    })
  }
  next()
}

/** Calls `work` when the browser has nothing else to do; with `most`, after so many milliseconds in any case. */
export function whenIdle(work: () => void, most?: number): void {
  if (typeof requestIdleCallback !== 'function') setTimeout(work, 500)
  else requestIdleCallback(work, most === undefined ? {} : { timeout: most })
}
