/** Parts that a first look does not need. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { text } from '../text/text.ts'
import { isMissingPart } from './error-kind.ts'
import { loadPart } from './load-part.ts'
import { Spinner } from './spinner.tsx'

const waiting: (() => Promise<unknown>)[] = []

/** Has `load` called when the page is at rest. What is returned calls it earlier, and may be called again after a failure. */
export function fetchLater(load: () => Promise<unknown>): () => Promise<unknown> {
  waiting.push(load)
  return () => loadPart(load)
}

/** A component of another file. Until it is there, a small sign stands in its place, or what is given for it. */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = <Spinner />,
): ComponentType<P> {
  fetchLater(load)
  const Loaded = lazy(async () => ({ default: await loadPart(load) }))
  return (props: P) => (
    <PartBoundary>
      <Suspense fallback={meanwhile}>
        <Loaded {...props} />
      </Suspense>
    </PartBoundary>
  )
}

/** A component of another file, for what opens only once it is there: until `load` has fetched it, it draws nothing. */
export function fetchedPart<P extends object>(
  fetch: () => Promise<ComponentType<P>>,
): [part: ComponentType<P>, load: () => Promise<unknown>] {
  let Loaded: ComponentType<P> | undefined
  const load = fetchLater(async () => {
    Loaded = await fetch()
  })
  return [(props: P) => Loaded && <Loaded {...props} />, load]
}

/** Fetches them one after the other, while the browser has nothing else to do. One that does not come is asked for again when it is used. */
export function fetchDeferred(): void {
  const next = () => {
    const load = waiting.shift()
    if (!load) return
    whenIdle(() => {
      loadPart(load)
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

/** A part that the server does not have any more is missing where it would be, and nowhere else. Other faults are the page's. */
class PartBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!isMissingPart(error)) throw error
    return (
      <p role="alert" className="flex flex-wrap gap-2 p-2 text-sm text-warn">
        {text.shell.partMissing}
        <button type="button" className="underline" onClick={() => location.reload()}>
          {text.shell.reload}
        </button>
      </p>
    )
  }
}
