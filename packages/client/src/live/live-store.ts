/** What the page knows live: the sessions that it follows, and the server's own topic. */
import type { Approval, ServerEvent, ServerSnapshot, Session, StreamFrame } from '@dorkos/shared'
import { type Connection, notConnected } from './connection-state.ts'
import { createPublisher, type NextFrame, type Topic } from './live-topic.ts'
import type { PageSession } from './page-session.ts'
import { emptySession, reduceSession, type SessionInput } from './reduce-session.ts'

export interface LiveStore {
  /** One session. A change of another does not wake those who follow it. */
  session(id: string): Topic<PageSession>
  dispatch(id: string, input: SessionInput): void
  /** Nothing is known of it any more. */
  forget(id: string): void
  /** Applies a frame at once. */
  apply(frame: StreamFrame): void
  /** Those that the server's topic published, the newest change first. */
  readonly sessions: Topic<readonly Session[]>
  /** Open ones of all sessions, the oldest first. */
  readonly approvals: Topic<readonly Approval[]>
  readonly connection: Topic<Connection>
  /** The server's clock less this browser's, in milliseconds. */
  readonly clockOffset: Topic<number>
  /** Every event of the server's topic, at once. */
  onServerEvent(listener: (event: ServerEvent) => void): () => void
  /** The whole state of the server's topic came: what changed in between was not published one by one. */
  onServerSnapshot(listener: (snapshot: ServerSnapshot) => void): () => void
  /** Whether the whole state of the server's topic has come at all. */
  knowsServer(): boolean
  /** Forgets everything: another token may see other things. */
  reset(): void
  /** Notifies listeners now instead of with the next frame. */
  flush(): void
}

export function createLiveStore(nextFrame: NextFrame): LiveStore {
  const publisher = createPublisher(nextFrame)
  const topics = new Map<string, Topic<PageSession>>()
  const sessions = publisher.topic<readonly Session[]>([])
  const approvals = publisher.topic<readonly Approval[]>([])
  const connection = publisher.topic<Connection>(notConnected)
  const clockOffset = publisher.topic(0)
  const eventListeners = new Set<(event: ServerEvent) => void>()
  const snapshotListeners = new Set<(snapshot: ServerSnapshot) => void>()
  let knowsServer = false

  function session(id: string): Topic<PageSession> {
    const topic = topics.get(id) ?? publisher.topic(emptySession(id))
    topics.set(id, topic)
    return topic
  }

  /** Only sessions that somebody follows are kept. */
  function dispatch(id: string, input: SessionInput): void {
    const topic = topics.get(id)
    topic?.set(reduceSession(topic.now(), input))
  }

  function forget(id: string): void {
    const topic = topics.get(id)
    if (topic?.isWatched()) topic.set(emptySession(id))
    else topics.delete(id)
  }

  function takeSnapshot(snapshot: ServerSnapshot): void {
    knowsServer = true
    sessions.set(sortedSessions(listOf<Session>(snapshot.sessions)))
    approvals.set(sortedApprovals(listOf<Approval>(snapshot.approvals)))
    for (const one of sessions.now()) dispatch(one.id, { type: 'session', session: one })
    for (const listener of [...snapshotListeners]) listener(snapshot)
  }

  function takeEvent(event: ServerEvent): void {
    switch (event.type) {
      case 'session_changed':
        if (!event.session) return
        sessions.set(withSession(sessions.now(), event.session))
        dispatch(event.session.id, { type: 'session', session: event.session })
        break
      case 'session_deleted':
        sessions.set(sessions.now().filter(({ id }) => id !== event.session_id))
        approvals.set(approvals.now().filter(({ session_id }) => session_id !== event.session_id))
        dispatch(event.session_id, { type: 'gone' })
        break
      case 'approval_changed':
        if (!event.approval) return
        approvals.set(withApproval(approvals.now(), event.approval))
        dispatch(event.approval.session_id, { type: 'approval', approval: event.approval })
        break
      default:
    }
    for (const listener of [...eventListeners]) listener(event)
  }

  return {
    session,
    dispatch,
    forget,
    sessions,
    approvals,
    connection,
    clockOffset,
    onServerEvent: (listener) => added(eventListeners, listener),
    onServerSnapshot: (listener) => added(snapshotListeners, listener),
    knowsServer: () => knowsServer,
    reset() {
      knowsServer = false
      for (const id of [...topics.keys()]) forget(id)
      sessions.set([])
      approvals.set([])
      connection.set(notConnected)
    },
    flush: () => publisher.flush(),
    apply(frame) {
      switch (frame.frame) {
        case 'snapshot':
          session(frame.session)
          return dispatch(frame.session, { type: 'snapshot', snapshot: frame.snapshot })
        case 'message':
          return dispatch(frame.event.session, { type: 'event', event: frame.event })
        case 'resync':
          return resync(frame)
        case 'server_snapshot':
          return takeSnapshot(frame.snapshot)
        case 'server':
          return takeEvent(frame.event)
        case 'closing':
      }
    },
  }

  function resync({ session: id, reason }: { session: string | null; reason: string }): void {
    if (id === null) for (const other of topics.keys()) dispatch(other, { type: 'resync' })
    else dispatch(id, { type: reason === 'not_found' ? 'gone' : 'resync' })
  }
}

function added<T>(set: Set<T>, listener: T): () => void {
  set.add(listener)
  return () => set.delete(listener)
}

/** A frame is not checked against the whole contract on its way here. */
function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []
}

function withSession(list: readonly Session[], session: Session): readonly Session[] {
  return sortedSessions([session, ...list.filter(({ id }) => id !== session.id)])
}

function withApproval(list: readonly Approval[], approval: Approval): readonly Approval[] {
  const others = list.filter(({ id }) => id !== approval.id)
  if (approval.state === 'pending') return sortedApprovals([...others, approval])
  return others.length === list.length ? list : others
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const sortedSessions = (list: readonly Session[]): readonly Session[] =>
  list.toSorted((a, b) => compare(b.updated_at, a.updated_at))

const sortedApprovals = (list: readonly Approval[]): readonly Approval[] =>
  list.toSorted((a, b) => compare(a.created_at, b.created_at))
