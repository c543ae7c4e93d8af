/** Puts the live part of the page together. */
import { type ApiClient, type ServerEvent, sessionIdSchema } from '@dorkos/shared'
import { createFollowedSessions } from './followed-sessions.ts'
import { createHistoryLoader } from './history-loader.ts'
import type { LeaderTab } from './leader-tab.ts'
import { LiveConnection } from './live-connection.ts'
import { createLiveStore, type LiveStore } from './live-store.ts'
import type { NextFrame } from './live-topic.ts'
import type { PagePresence } from './page-presence.ts'
import { allListKeys, createInvalidator, type QueryCaches, staleLists } from './query-invalidation.ts'

interface LiveParts {
  client: Pick<ApiClient, 'followAll' | 'getSession' | 'getHistory' | 'listApprovals'>
  nextFrame: NextFrame
  page: PagePresence
  leader: LeaderTab
  /** The server does not take the token any more. */
  signedOut(): void
  /** One sentence about what went wrong. */
  faultText(error: unknown): string
}

export interface Live {
  readonly store: LiveStore
  /** Opens the stream; to be called when signed in. Lists in `queries` are asked for again when the server says that they changed. */
  start(queries?: QueryCaches): void
  /** Closes it and forgets everything. */
  stop(): void
  /** Follows a session until the returned function is called. */
  follow(sessionId: string): () => void
  /** Loads the next older page of a session that is followed. */
  loadOlder(sessionId: string): Promise<void>
  onServerEvent(listener: (event: ServerEvent) => void): () => void
  /** This tab is the one that notifies while all are hidden. */
  isLeader(): boolean
  /** Milliseconds since 1970 by the server's clock. */
  serverNow(): number
}

export function createLive(parts: LiveParts): Live {
  const { client, page, leader } = parts
  const store = createLiveStore(parts.nextFrame)
  const loader = createHistoryLoader({ client, store, faultText: parts.faultText })
  let queries: QueryCaches | undefined
  const invalidator = createInvalidator(() => queries)
  const followed = createFollowedSessions({
    changed: () => connection.sessionsChanged(),
    dropped(id) {
      loader.cancel(id)
      connection.forget(id)
      store.forget(id)
    },
  })
  const connection: LiveConnection = new LiveConnection({
    client,
    store,
    followed,
    page,
    leader,
    signedOut: () => parts.signedOut(),
    onSnapshot: (id) => loader.begin(id),
  })

  store.onServerEvent((event) => {
    invalidator.add(staleLists(event))
    if (event.type === 'transcript_changed' && followed.has(event.session_id))
      loader.refreshSoon(event.session_id)
  })
  store.onServerSnapshot(() => invalidator.add(allListKeys))

  return {
    store,
    start(caches) {
      queries = caches ?? queries
      connection.start()
    },
    stop() {
      connection.stop()
      for (const id of followed.ids()) loader.cancel(id)
      followed.dropUnused()
      invalidator.stop()
      store.reset()
    },
    follow(id) {
      const topic = store.session(id)
      if (sessionIdSchema.safeParse(id).success) return followed.follow(id)
      // No session has such an id, and one bad id would cost the stream the others.
      if (topic.now().phase !== 'gone') store.dispatch(id, { type: 'gone' })
      return () => {}
    },
    loadOlder: (id) => loader.loadOlder(id),
    onServerEvent: (listener) => store.onServerEvent(listener),
    isLeader: () => leader.isLeader(),
    serverNow: () => Date.now() + store.clockOffset.now(),
  }
}
