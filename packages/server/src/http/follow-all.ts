/**
 * `GET /api/events`: several sessions and the server's own topic on one connection. The server topic begins with its whole
 * state, every time, so nothing of it can be missed. Sessions of which the client has a cursor go on from there; the others
 * begin with a snapshot.
 */
import type { ServerResponse } from 'node:http'
import { encodeFrame, formatEventId } from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import { catchUp, type Reached } from './catch-up.ts'
import { positionsOfCursors } from './event-frames.ts'
import { endOfSnapshot, type FollowDeps } from './follow-session.ts'
import { LiveFeed } from './live-feed.ts'
import { ServerTopic } from './server-topic.ts'

export interface FollowAllRequest {
  sessions: string[]
  /** As the client joined them. */
  cursors: string | undefined
}

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
      startOf(deps, sessions, request.cursors),
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
async function startOf(
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
