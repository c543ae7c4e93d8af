/** The event streams: of one session, and of several with the server's own topic. */
import type { ServerResponse } from 'node:http'
import {
  type EventPosition,
  encodeFrame,
  encodeRecord,
  formatEventId,
  logStart,
  parseEventId,
  type ServerEvent,
  type SessionSnapshot,
  type StreamEvent,
  say,
} from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { EventLog } from '../core/ports/coordination.ts'
import type { EventHub, SessionService } from '../core/services.ts'
import { catchUp, LiveFeed, type Reached } from './catch-up.ts'
import { ServerTopic } from './server-topic.ts'
import type { Streams } from './streams.ts'

export interface FollowDeps {
  hub: EventHub
  events: EventLog
  sessions: SessionService
  streams: Streams
  frames: EventFrames
}

/** `GET /api/sessions/:id/events`: from the last event that the client has, or from a snapshot. */
export async function followSession(
  deps: FollowDeps,
  actor: Actor,
  sessionId: string,
  lastEventId: string | undefined,
  response: ServerResponse,
): Promise<void> {
  deps.streams.check(actor)
  await checkVisible(deps, actor, sessionId)
  const feed = new LiveFeed(deps.hub, [sessionId])
  try {
    await feed.ready
    const start = await startOf(deps, actor, sessionId, lastEventId)
    const connection = deps.streams.open(actor, response)
    connection.onClose(() => feed.close())
    for (const frame of start.frames) await connection.send(frame)
    const { events, frames } = deps
    await catchUp({ events, connection, frameOf: frames.ofSession }, feed, new Map([[sessionId, start.at]]))
  } catch (error) {
    feed.close()
    throw error
  }
}

/** Somebody else's session is not there. */
export async function checkVisible({ sessions }: FollowDeps, actor: Actor, sessionId: string): Promise<void> {
  const visible = await sessions.visible(actor, [sessionId])
  if (!visible.has(sessionId)) throw new AppError('not_found', say('session_not_found', { id: sessionId }))
}

/** Where to go on in the session, and what to send before. */
async function startOf(
  { events, sessions }: FollowDeps,
  actor: Actor,
  sessionId: string,
  lastEventId: string | undefined,
): Promise<{ at: EventPosition; frames: string[] }> {
  const known = lastEventId === undefined ? undefined : parseEventId(lastEventId)
  if (known && (await events.continues(sessionId, known))) return { at: known, frames: [] }
  const snapshot = await sessions.snapshot(actor, sessionId)
  const resync =
    lastEventId === undefined
      ? []
      : [encodeFrame({ frame: 'resync', session: sessionId, reason: 'the last event is not in the log' })]
  return {
    at: endOfSnapshot(snapshot),
    frames: [...resync, encodeFrame({ frame: 'snapshot', session: sessionId, snapshot }, snapshot.at)],
  }
}

/** The newest event that a snapshot holds. */
function endOfSnapshot({ at }: SessionSnapshot): EventPosition {
  return (at === undefined ? undefined : parseEventId(at)) ?? logStart
}

export interface FollowAllRequest {
  sessions: string[]
  /** As the client joined them. */
  cursors: string | undefined
}

/**
 * `GET /api/events`: several sessions and the server's own topic on one connection. The server topic begins with its
 * whole state, every time, so nothing of it can be missed. Sessions of which the client has a cursor go on from there;
 * the others begin with a snapshot.
 */
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
    await feed.ready
    const [state, { reached, resyncs }] = await Promise.all([
      topic.readState(),
      startOfMany(deps, sessions, request.cursors),
    ])
    const connection = deps.streams.open(actor, response)
    connection.onClose(closeFeeds)
    await topic.follow(connection, state)
    for (const session of request.sessions.filter((id) => !visible.has(id)))
      resyncs.push(encodeFrame({ frame: 'resync', session, reason: 'not_found' }))
    for (const frame of resyncs) await connection.send(frame)
    for (const id of sessions.filter((other) => !reached.has(other)))
      await connection.send(await readSnapshot(deps, actor, id, reached))
    const { events, frames } = deps
    await catchUp({ events, connection, frameOf: frames.ofMany }, feed, reached)
  } catch (error) {
    closeFeeds()
    throw error
  }
}

/** Where the client stands in the sessions that can go on from there, and what to say of the others that it has. */
async function startOfMany(
  { events }: FollowDeps,
  sessions: string[],
  cursors: string | undefined,
): Promise<{ reached: Reached; resyncs: string[] }> {
  const reached: Reached = new Map()
  const resyncs: string[] = []
  const resync = (session: string | null, reason: string) =>
    resyncs.push(encodeFrame({ frame: 'resync', session, reason }))
  if (cursors === undefined) return { reached, resyncs }
  const positions = positionsOfCursors(cursors, events.id)
  if (!positions) resync(null, 'the cursor is not of this log')
  await Promise.all(
    sessions.map(async (id) => {
      const at = positions?.get(id)
      if (!at) return
      if (await events.continues(id, at)) reached.set(id, at)
      else resync(id, 'the last event is not in the log')
    }),
  )
  return { reached, resyncs }
}

/** The frame of a session's snapshot. One session that is gone must not cost the client the others. */
async function readSnapshot(
  { sessions, frames }: FollowDeps,
  actor: Actor,
  session: string,
  reached: Reached,
): Promise<string> {
  try {
    const snapshot = await sessions.snapshot(actor, session)
    const at = endOfSnapshot(snapshot)
    reached.set(session, at)
    return encodeFrame({ frame: 'snapshot', session, snapshot }, frames.cursor(session, formatEventId(at)))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
    return encodeFrame({ frame: 'resync', session, reason: 'not_found' })
  }
}

/** What the streams of all clients need of an event, made once however many follow. */
export interface EventFrames {
  /** For the stream of one session: the id is the event's. */
  ofSession(event: StreamEvent): Buffer
  /** For the stream of many: the id is a cursor of the event's session. */
  ofMany(event: StreamEvent): Buffer
  ofServer(event: ServerEvent): Buffer
  cursor(sessionId: string, eventId: string): string
}

export function createEventFrames(logId: string): EventFrames {
  const cursor = (sessionId: string, eventId: string) => `${logName(logId)}.${sessionId}.${eventId}`
  return {
    ofSession: once((event) => frame(jsonOf(event), { id: event.id })),
    ofMany: once((event) => frame(jsonOf(event), { id: cursor(event.session, event.id) })),
    ofServer: once((event) => frame(JSON.stringify(event), { event: 'server' })),
    cursor,
  }
}

const jsonOf = once((event: StreamEvent) => JSON.stringify(event))

function frame(json: string, record: { event?: string; id?: string }): Buffer {
  return Buffer.from(encodeRecord(json, record))
}

function once<T extends object, R extends {}>(make: (value: T) => R): (value: T) => R {
  const made = new WeakMap<T, R>()
  return (value) => {
    let result = made.get(value)
    if (result === undefined) {
      result = make(value)
      made.set(value, result)
    }
    return result
  }
}

/** The positions, by session, in a client's cursors, joined with commas; undefined if one is not of this log. */
function positionsOfCursors(text: string, logId: string): Map<string, EventPosition> | undefined {
  const positions = new Map<string, EventPosition>()
  for (const cursor of text.split(',')) {
    const [log, sessionId, eventId, ...rest] = cursor.trim().split('.')
    const position = eventId === undefined ? undefined : parseEventId(eventId)
    if (log !== logName(logId) || !sessionId || !position || rest.length > 0) return undefined
    positions.set(sessionId, position)
  }
  return positions
}

/** Enough to distinguish logs, and short: the cursors of all sessions of a stream go into one header. */
function logName(logId: string): string {
  return logId.slice(0, 8)
}
