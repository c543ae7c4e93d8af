export interface AbortableCalls {
  /** The signal of the new call aborts when it is cut. */
  open(sessionId: string): AbortController
  /** The call has ended. */
  forget(sessionId: string, call: AbortController): void
  cut(sessionId: string): void
  cutAll(): void
}

/** The calls that are under way, by session. */
export function createOpenCalls(): AbortableCalls {
  const bySession = new Map<string, Set<AbortController>>()
  const cut = (sessionId: string) => {
    for (const call of bySession.get(sessionId) ?? []) call.abort()
    bySession.delete(sessionId)
  }
  return {
    open(sessionId) {
      const call = new AbortController()
      const calls = bySession.get(sessionId) ?? new Set()
      bySession.set(sessionId, calls.add(call))
      return call
    },
    forget(sessionId, call) {
      const calls = bySession.get(sessionId)
      calls?.delete(call)
      if (calls?.size === 0) bySession.delete(sessionId)
    },
    cut,
    cutAll() {
      for (const sessionId of [...bySession.keys()]) cut(sessionId)
    },
  }
}
