/** Loads pages of what was said. Each session loads one at a time, and a snapshot makes what was asked for before it worthless. */
import type { ApiClient } from '@dorkos/shared'
import type { LiveStore } from './live-store.ts'

interface HistoryLoader {
  /** The next older page, unless one is on its way or the beginning is reached. */
  loadOlder(id: string): Promise<void>
  /** A snapshot replaced what was there: begins with the newest page again. */
  begin(id: string): void
  /** Another process has written to the transcript. */
  refreshSoon(id: string): void
  cancel(id: string): void
}

const pageSize = 100
const refreshMs = 300

export function createHistoryLoader(parts: {
  client: Pick<ApiClient, 'getHistory'>
  store: LiveStore
  faultText(error: unknown): string
}): HistoryLoader {
  const { client, store } = parts
  const loads = new Map<string, AbortController>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  function cancel(id: string): void {
    loads.get(id)?.abort()
    loads.delete(id)
    clearTimeout(timers.get(id))
    timers.delete(id)
  }

  async function loadOlder(id: string): Promise<void> {
    const { phase, history } = store.session(id).now()
    if (phase !== 'ready' || history.phase === 'loading' || history.phase === 'complete') return
    const abort = new AbortController()
    loads.set(id, abort)
    store.dispatch(id, { type: 'history_asked' })
    const { before } = history
    try {
      const query = { limit: pageSize, ...(before !== undefined && { before }) }
      const page = await client.getHistory({ params: { id }, query, signal: abort.signal })
      if (!abort.signal.aborted) store.dispatch(id, { type: 'history', page, before })
    } catch (error) {
      if (!abort.signal.aborted) store.dispatch(id, { type: 'history_failed', fault: parts.faultText(error) })
    } finally {
      if (loads.get(id) === abort) loads.delete(id)
    }
  }

  async function refresh(id: string): Promise<void> {
    timers.delete(id)
    const { phase, session, turn, history } = store.session(id).now()
    const isLoaded = history.phase === 'idle' || history.phase === 'complete'
    // What this server runs comes as events.
    if (phase !== 'ready' || session?.live || turn !== undefined || !isLoaded || loads.has(id)) return
    const abort = new AbortController()
    loads.set(id, abort)
    try {
      const page = await client.getHistory({
        params: { id },
        query: { limit: pageSize },
        signal: abort.signal,
      })
      if (!abort.signal.aborted) store.dispatch(id, { type: 'refresh', page })
    } catch {
      // The next change tries again.
    } finally {
      if (loads.get(id) === abort) loads.delete(id)
    }
  }

  return {
    loadOlder,
    cancel,
    begin(id) {
      cancel(id)
      void loadOlder(id)
    },
    refreshSoon(id) {
      if (timers.has(id)) return
      timers.set(
        id,
        setTimeout(() => void refresh(id), refreshMs),
      )
    },
  }
}
