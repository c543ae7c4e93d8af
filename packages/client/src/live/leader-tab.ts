/**
 * One tab of this browser is the leader: the one that keeps its stream while it is hidden, so that there is always one that can
 * notify of what needs a person. The browser passes the lock on when the tab that holds it closes.
 */
export interface LeaderTab {
  isLeader(): boolean
  /** Asks for the lock and waits for its turn; `onLead` is called when it comes. */
  start(onLead: () => void): void
  stop(): void
}

const lockName = 'dorkos.leader'

export function createLeaderTab(locks: LockManager | undefined): LeaderTab {
  let leads = false
  let abort: AbortController | undefined
  let release: () => void = () => {}

  return {
    isLeader: () => leads,
    start(onLead) {
      // Only pages of secure origins have locks; without them no tab leads.
      if (locks === undefined || abort !== undefined) return
      const asked = new AbortController()
      abort = asked
      locks
        .request(lockName, { signal: asked.signal }, async () => {
          if (asked.signal.aborted) return
          leads = true
          onLead()
          await new Promise<void>((resolve) => {
            release = resolve
          })
        })
        .catch(() => undefined)
    },
    stop() {
      abort?.abort()
      abort = undefined
      leads = false
      release()
    },
  }
}
