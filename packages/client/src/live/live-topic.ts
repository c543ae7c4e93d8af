/**
 * Values that components follow. A value changes at once; those who read it see the change, and are notified of it, once per frame:
 * all of them the same state, however fast events come.
 */
export interface Topic<T> {
  /** As of the last frame. For `useSyncExternalStore`, like `subscribe`. */
  readonly get: () => T
  readonly subscribe: (listener: () => void) => () => void
  /** As it is this moment. */
  readonly now: () => T
  readonly set: (value: T) => void
  readonly isWatched: () => boolean
}

/** Runs a function soon, once. */
export type NextFrame = (run: () => void) => void

interface Publisher {
  topic<T>(initial: T): Topic<T>
  /** Publishes what has changed now. */
  flush(): void
}

export function createPublisher(nextFrame: NextFrame): Publisher {
  const changed = new Set<() => void>()
  let isAsked = false

  function flush(): void {
    isAsked = false
    const due = [...changed]
    changed.clear()
    for (const publish of due) publish()
  }

  function mark(publish: () => void): void {
    changed.add(publish)
    if (isAsked) return
    isAsked = true
    nextFrame(() => {
      if (isAsked) flush()
    })
  }

  return {
    flush,
    topic<T>(initial: T): Topic<T> {
      let current = initial
      let published = initial
      const listeners = new Set<() => void>()
      const publish = () => {
        if (Object.is(published, current)) return
        published = current
        for (const listener of [...listeners]) listener()
      }
      return {
        get: () => published,
        now: () => current,
        set(value) {
          if (Object.is(value, current)) return
          current = value
          mark(publish)
        },
        subscribe(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        isWatched: () => listeners.size > 0,
      }
    },
  }
}

const hiddenMs = 250

/** The browser's next frame. A hidden tab draws none, so there a timer does. */
export const browserFrame: NextFrame = (run) => {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    run()
  }
  const timer = setTimeout(once, hiddenMs)
  if (typeof requestAnimationFrame === 'function') requestAnimationFrame(once)
}
