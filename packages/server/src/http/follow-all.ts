/**
 * `GET /api/events`: several sessions and the server's own topic on one connection. The server topic begins with its whole
 * state, every time, so nothing of it can be missed. Sessions that the client knows go on from its cursor; the others begin
 * with a snapshot. A cursor on a frame means: all sessions are complete up to here.
 */
import type { ServerResponse } from 'node:http'
import { compareEventPositions, type EventPosition, encodeFrame, parseEventId } from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { PublishedEvent, PublishedServerEvent } from '../core/services.ts'
import { catchUp, type Replay, replay } from './catch-up.ts'
import { positionOfCursor } from './event-frames.ts'
import { type FollowDeps, readSnapshot } from './follow-session.ts'
import { LiveFeed } from './live-feed.ts'
import type { SseConnection } from './sse-connection.ts'

export interface FollowAllRequest {
  sessions: string[]
  /** Those that the client has up to `cursor`; undefined means all. */
  known: string[] | undefined
  cursor: string | undefined
}

const snapshotTries = 5

export async function followAll(
  deps: FollowDeps,
  actor: Actor,
  request: FollowAllRequest,
  response: ServerResponse,
): Promise<void> {
  deps.streams.check(actor)
  const visible = await deps.sessions.visible(actor, request.sessions)
  const sessions = request.sessions.filter((id) => visible.has(id))
  const feed = new LiveFeed(deps.hub, sessions)
  const topic = new ServerTopic(deps, actor)
  const closeFeeds = () => {
    feed.close()
    topic.close()
  }
  try {
    const [snapshot, start] = await Promise.all([
      deps.hub.serverSnapshot(actor),
      startOf(deps, { ...request, sessions }),
    ])
    const connection = deps.streams.open(actor, response)
    connection.onClose(closeFeeds)
    await connection.send(encodeFrame({ frame: 'server_snapshot', snapshot }))
    topic.goLive(connection)
    if (start.resync !== undefined) {
      await connection.send(encodeFrame({ frame: 'resync', session: null, reason: start.resync }))
    }
    for (const session of request.sessions.filter((id) => !visible.has(id)))
      await connection.send(encodeFrame({ frame: 'resync', session, reason: 'not_found' }))
    await new ManySessions(deps, actor, connection, feed).run(sessions, start)
  } catch (error) {
    closeFeeds()
    throw error
  }
}

interface Start {
  position: number
  known: string[]
  resync?: string
}

async function startOf({ events }: FollowDeps, request: FollowAllRequest): Promise<Start> {
  const { first, last } = await events.positions()
  if (request.cursor === undefined) return { position: last, known: [] }
  const position = positionOfCursor(request.cursor, events.id)
  if (position === undefined) return { position: last, known: [], resync: 'the cursor is not of this log' }
  if (position > last) return { position: last, known: [], resync: 'the cursor is ahead of the log' }
  if (position < first) return { position: last, known: [], resync: 'the log no longer reaches so far back' }
  const known = request.known ?? request.sessions
  return { position, known: request.sessions.filter((id) => known.includes(id)) }
}

class ManySessions {
  readonly #deps: FollowDeps
  readonly #actor: Actor
  readonly #connection: SseConnection
  readonly #feed: LiveFeed
  /** The newest event that a session's snapshot held: what is not newer is left out until the stream is live. */
  readonly #snapshots = new Map<string, EventPosition>()

  constructor(deps: FollowDeps, actor: Actor, connection: SseConnection, feed: LiveFeed) {
    this.#deps = deps
    this.#actor = actor
    this.#connection = connection
    this.#feed = feed
  }

  async run(sessions: string[], { position, known }: Start): Promise<void> {
    const reached = await replay(this.#replayOf(known), position)
    for (const id of sessions.filter((other) => !known.includes(other))) {
      await this.#connection.send(await this.#snapshotOf(id, reached))
    }
    await catchUp(this.#replayOf(sessions), this.#feed, reached)
    this.#snapshots.clear()
  }

  /** The frame of a session's snapshot. It must hold all of the session up to the cursor that goes out with it. */
  async #snapshotOf(sessionId: string, reached: number): Promise<string> {
    for (let tries = 0; tries < snapshotTries; tries++) {
      try {
        const { snapshot, at, next } = await readSnapshot(this.#deps, this.#actor, sessionId)
        if (next !== undefined && next <= reached) continue
        if (at) this.#snapshots.set(sessionId, at)
        const frame = { frame: 'snapshot', session: sessionId, snapshot } as const
        return encodeFrame(frame, this.#deps.frames.cursor(reached))
      } catch (error) {
        // One session that is gone must not cost the client the others.
        if (!(error instanceof AppError && error.code === 'not_found')) throw error
        return encodeFrame({ frame: 'resync', session: sessionId, reason: 'not_found' })
      }
    }
    throw new AppError('unavailable', 'The session changes faster than it can be shown; try again.')
  }

  #replayOf(sessionIds: string[]): Replay {
    const { events, frames } = this.#deps
    return {
      events,
      connection: this.#connection,
      sessionIds,
      frameOf: (event) => (this.#isInSnapshot(event) ? undefined : frames.ofMany(event)),
    }
  }

  #isInSnapshot({ event }: PublishedEvent): boolean {
    if (this.#snapshots.size === 0) return false
    const newest = this.#snapshots.get(event.session)
    const position = parseEventId(event.id)
    return newest !== undefined && position !== undefined && compareEventPositions(position, newest) <= 0
  }
}

/** The server's own events: held until the state that they change was sent. */
class ServerTopic {
  readonly #deps: FollowDeps
  readonly #unsubscribe: () => void
  #held: PublishedServerEvent[] = []
  #connection: SseConnection | undefined

  constructor(deps: FollowDeps, actor: Actor) {
    this.#deps = deps
    this.#unsubscribe = deps.hub.subscribeServer(actor, (event) => {
      if (this.#connection) this.#connection.write(deps.frames.ofServer(event))
      else this.#held.push(event)
    })
  }

  goLive(connection: SseConnection): void {
    this.#connection = connection
    for (const event of this.#held) connection.write(this.#deps.frames.ofServer(event))
    this.#held = []
  }

  close(): void {
    this.#unsubscribe()
    this.#held = []
  }
}
