/**
 * Browsers allow six connections to a host over HTTP/1.1, over all tabs: streams that take them all leave none to send a
 * message with. So streams have slots: a few to keep, and one that all other tabs take turns on. Locks of the browser are the
 * slots, so that a tab that is closed or crashes gives its own back.
 */
export interface StreamSlot {
  /** Another tab waits for this very slot. */
  isWanted(): Promise<boolean>
  release(): void
}

export interface StreamSlots {
  /** Waits for a slot; undefined when the signal came first. */
  take(signal: AbortSignal): Promise<StreamSlot | undefined>
}

const kept = ['dorkos.stream.1', 'dorkos.stream.2', 'dorkos.stream.3']
const shared = 'dorkos.stream.shared'

export function createStreamSlots(locks: LockManager | undefined): StreamSlots {
  return {
    async take(signal) {
      // Only pages of secure origins have locks; without them nothing can be counted.
      if (locks === undefined) return { isWanted: async () => false, release() {} }
      for (const name of kept) {
        const release = await hold(locks, name, { ifAvailable: true })
        if (release) return { isWanted: async () => false, release }
      }
      const release = await hold(locks, shared, { signal })
      return release && { isWanted: () => isWaitedFor(locks, shared), release }
    },
  }
}

/** A way to let go of the lock, or undefined where it was not to be had. */
function hold(locks: LockManager, name: string, options: LockOptions): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    locks
      .request(name, options, (lock) => {
        if (lock === null) return resolve(undefined)
        return new Promise<void>((release) => resolve(release))
      })
      .catch(() => resolve(undefined))
  })
}

async function isWaitedFor(locks: LockManager, name: string): Promise<boolean> {
  const { pending = [] } = await locks.query()
  return pending.some((lock) => lock.name === name)
}
