/**
 * The page's one event stream. It carries the server's topic and the followed sessions; when their set changes it is opened
 * again from its cursor, so nothing is missed or sent twice. Browsers allow six connections to a host over all tabs, so a tab
 * that nobody views lets its stream go.
 */
import {
  type ApiClient,
  ApiError,
  type ConnectionState,
  StreamCursor,
  type StreamFrame,
} from '@dorkos/shared'
import { CatchUpWatch } from './catch-up-watch.ts'
import type { Connection } from './connection-state.ts'
import type { FollowedSessions } from './followed-sessions.ts'
import type { LeaderTab } from './leader-tab.ts'
import type { LiveStore } from './live-store.ts'
import type { PagePresence } from './page-presence.ts'
import { measureClockOffset } from './server-clock.ts'

interface LiveConnectionParts {
  client: Pick<ApiClient, 'followAll' | 'getSession' | 'listApprovals'>
  store: LiveStore
  followed: FollowedSessions
  page: PagePresence
  leader: LeaderTab
  /** The server does not take the token any more. */
  signedOut(): void
  /** A snapshot of this session was applied. */
  onSnapshot(id: string): void
}

const hiddenMs = 60_000
const silentMs = 40_000
const checkMs = 10_000
const maxRetryMs = 15_000
/** After an answer that another try will hardly mend. */
const refusedRetryMs = 30_000
/** Opening the stream anew is not worth showing unless it takes this long. */
const quietMs = 2000

export class LiveConnection {
  readonly #parts: LiveConnectionParts
  readonly #catchUp: CatchUpWatch
  readonly #cursor = new StreamCursor()
  #abort: AbortController | undefined
  #lastHeardAt: number | undefined
  #isStarted = false
  /** Let go because nobody looks. */
  #isSuspended = false
  #isReopening = false
  #stops: (() => void)[] = []
  #hiddenTimer: ReturnType<typeof setTimeout> | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #quietTimer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: LiveConnectionParts) {
    this.#parts = parts
    this.#catchUp = new CatchUpWatch((catchingUp) => this.#notify({ catchingUp }))
  }

  start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    const { page, leader } = this.#parts
    const watch = setInterval(() => this.#breakSilence(), checkMs)
    this.#stops = [
      page.onVisibility(() => this.#onVisibility()),
      page.onReturn(() => this.#wake()),
      () => clearInterval(watch),
      () => leader.stop(),
    ]
    leader.start(() => this.#wake())
    this.#onVisibility()
    this.#open()
  }

  stop(): void {
    if (!this.#isStarted) return
    this.#isStarted = false
    for (const stop of this.#stops.splice(0)) stop()
    this.#close()
    clearTimeout(this.#hiddenTimer)
    this.#cursor.clear()
    this.#lastHeardAt = undefined
    this.#isSuspended = false
  }

  /** The set of followed sessions changed. What changes in the same moment is one change. */
  sessionsChanged(): void {
    if (!this.#isStarted || this.#isSuspended || this.#isReopening) return
    this.#isReopening = true
    queueMicrotask(() => {
      this.#isReopening = false
      if (this.#isStarted && !this.#isSuspended) this.#open()
    })
  }

  /** Nothing is known of this session any more. */
  forget(id: string): void {
    this.#cursor.forget(id)
  }

  /** Ends what there is, and opens the stream at once from where it stood. */
  #open(): void {
    this.#close()
    this.#isSuspended = false
    const abort = new AbortController()
    this.#abort = abort
    void this.#follow(abort.signal)
  }

  #close(): void {
    this.#abort?.abort()
    this.#abort = undefined
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#quietTimer)
    this.#catchUp.stop()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, followed } = this.#parts
    const sessions = followed.ids()
    try {
      const frames = client.followAll({
        sessions,
        cursor: this.#cursor,
        signal,
        maxRetryMs,
        onState: (state) => {
          if (!signal.aborted) this.#onState(state, signal)
        },
        onHeard: () => {
          if (!signal.aborted) this.#lastHeardAt = Date.now()
        },
      })
      for await (const frame of frames) {
        if (signal.aborted) return
        this.#onFrame(frame)
      }
    } catch (error) {
      if (!signal.aborted) await this.#onFault(error, sessions, signal)
    }
  }

  #onFrame(frame: StreamFrame): void {
    this.#lastHeardAt = Date.now()
    const { store, followed } = this.#parts
    if (frame.frame === 'snapshot' && !followed.has(frame.session)) return
    if (frame.frame === 'message' && !followed.has(frame.event.session)) return
    this.#cursor.note(frame)
    if (frame.frame === 'snapshot') {
      store.apply(frame)
      this.#parts.onSnapshot(frame.session)
      return
    }
    if (frame.frame === 'message') this.#catchUp.saw(frame.event.time, Date.now() + store.clockOffset.now())
    store.apply(frame)
    if (frame.frame === 'closing') this.#reportBroken(0, undefined)
  }

  #onState(state: ConnectionState, signal: AbortSignal): void {
    const { connection } = this.#parts.store
    const { state: shown } = connection.now()
    clearTimeout(this.#quietTimer)
    if (state.state === 'open') {
      this.#lastHeardAt = Date.now()
      this.#notify({ state: 'open', attempt: 0, retryAt: undefined })
      if (shown !== 'open') void this.#readClock(signal)
    } else if (state.state === 'waiting') {
      this.#reportBroken(state.attempt, Date.now() + state.retryInMs)
    } else if (state.state === 'connecting') {
      if (shown === 'open') this.#quietTimer = setTimeout(() => this.#reportBroken(0, undefined), quietMs)
      else this.#notify({ retryAt: undefined })
    }
  }

  async #readClock(signal: AbortSignal): Promise<void> {
    const { client, store } = this.#parts
    const offset = await measureClockOffset(client, signal)
    if (offset !== undefined && !signal.aborted) store.clockOffset.set(offset)
  }

  async #onFault(error: unknown, sessions: string[], signal: AbortSignal): Promise<void> {
    const status = error instanceof ApiError ? error.status : 0
    if (status === 401) return this.#parts.signedOut()
    if ((status === 404 || status === 400) && (await this.#dropMissing(sessions, signal))) return
    if (signal.aborted) return
    this.#reportBroken(1, Date.now() + refusedRetryMs)
    this.#retryTimer = setTimeout(() => this.#open(), refusedRetryMs)
  }

  /** Takes out what is not there, so that the others go on; opening again follows from that. False when all are there. */
  async #dropMissing(sessions: string[], signal: AbortSignal): Promise<boolean> {
    const { client, store, followed } = this.#parts
    let isAnyGone = false
    for (const id of sessions) {
      const isGone = await client.getSession({ params: { id }, signal }).then(
        () => false,
        (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 400),
      )
      if (signal.aborted) return true
      if (!isGone) continue
      isAnyGone = true
      followed.drop(id)
      store.dispatch(id, { type: 'gone' })
    }
    return isAnyGone
  }

  #onVisibility(): void {
    clearTimeout(this.#hiddenTimer)
    if (this.#parts.page.isHidden()) this.#hiddenTimer = setTimeout(() => this.#suspend(), hiddenMs)
    else this.#wake()
  }

  #suspend(): void {
    if (this.#parts.leader.isLeader() || !this.#parts.page.isHidden()) return
    this.#isSuspended = true
    this.#close()
    this.#reportBroken(0, undefined)
  }

  /** It is worth trying now: whatever waits for a later try does not wait. */
  #wake(): void {
    if (!this.#isStarted) return
    const isHidden = this.#parts.page.isHidden()
    if (this.#isSuspended) {
      if (isHidden && !this.#parts.leader.isLeader()) return
      return this.#open()
    }
    const { retryAt } = this.#parts.store.connection.now()
    if (retryAt !== undefined) this.#open()
    else this.#breakSilence()
  }

  /** A connection that looks open and says nothing, not even heartbeats, is not: a laptop slept, a network changed. */
  #breakSilence(): void {
    if (this.#isSuspended || this.#parts.store.connection.now().state !== 'open') return
    if (this.#lastHeardAt !== undefined && Date.now() - this.#lastHeardAt > silentMs) {
      this.#reportBroken(0, undefined)
      this.#open()
    }
  }

  #reportBroken(attempt: number, retryAt: number | undefined): void {
    const state = this.#parts.page.isOnline() ? 'reconnecting' : 'offline'
    const isFirst = this.#lastHeardAt === undefined && state === 'reconnecting'
    this.#notify({ state: isFirst ? 'connecting' : state, attempt, retryAt })
  }

  #notify(change: Partial<Connection>): void {
    const { connection } = this.#parts.store
    const now = connection.now()
    const next = { ...now, ...change }
    const isSame = (Object.keys(change) as (keyof Connection)[]).every((key) => now[key] === next[key])
    if (!isSame) connection.set({ ...next, lastHeardAt: this.#lastHeardAt })
  }
}
