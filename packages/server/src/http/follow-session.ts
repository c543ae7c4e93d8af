/** `GET /api/sessions/:id/events`: one session, from the last event that the client has, or from a snapshot. */
import type { ServerResponse } from 'node:http'
import { type EventPosition, encodeFrame, logStart, parseEventId, type SessionSnapshot } from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { EventLog } from '../core/ports/coordination.ts'
import type { EventHub, SessionService } from '../core/services.ts'
import { catchUp } from './catch-up.ts'
import type { EventFrames } from './event-frames.ts'
import { LiveFeed } from './live-feed.ts'
import type { Streams } from './streams.ts'

export interface FollowDeps {
  hub: EventHub
  events: EventLog
  sessions: SessionService
  streams: Streams
  frames: EventFrames
}

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
  if (!visible.has(sessionId)) throw new AppError('not_found', `There is no session ${sessionId}.`)
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
export function endOfSnapshot({ at }: SessionSnapshot): EventPosition {
  return (at === undefined ? undefined : parseEventId(at)) ?? logStart
}
