/** `GET /api/sessions/:id/events`: one session, from the last event that the client has, or from a snapshot. */
import type { ServerResponse } from 'node:http'
import { type EventPosition, encodeFrame, parseEventId } from '@dorkos/shared'
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
    const start = await startOf(deps, actor, sessionId, lastEventId)
    const connection = deps.streams.open(actor, response)
    connection.onClose(() => feed.close())
    for (const frame of start.frames) await connection.send(frame)
    const { events, frames } = deps
    await catchUp(
      { events, connection, sessionIds: [sessionId], frameOf: frames.ofSession },
      feed,
      start.position,
    )
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

/** Where to go on in the log, and what to send before. */
async function startOf(
  deps: FollowDeps,
  actor: Actor,
  sessionId: string,
  lastEventId: string | undefined,
): Promise<{ position: number; frames: string[] }> {
  const known = lastEventId === undefined ? undefined : await positionOfEvent(deps, sessionId, lastEventId)
  if (known !== undefined) return { position: known, frames: [] }
  const { snapshot, next, end } = await readSnapshot(deps, actor, sessionId)
  const resync =
    lastEventId === undefined
      ? []
      : [encodeFrame({ frame: 'resync', session: sessionId, reason: 'the last event is not in the log' })]
  return {
    position: next === undefined ? end : next - 1,
    frames: [...resync, encodeFrame({ frame: 'snapshot', session: sessionId, snapshot }, snapshot.at)],
  }
}

/**
 * The position of an event that is still in the log. The event itself must be there: an id that the log never had, or lost,
 * cannot be continued honestly.
 */
async function positionOfEvent(
  { events }: FollowDeps,
  sessionId: string,
  eventId: string,
): Promise<number | undefined> {
  const at = parseEventId(eventId)
  if (!at || at.seq < 1) return undefined
  const [found] = await events.readSession(sessionId, { epoch: at.epoch, seq: at.seq - 1 }, 1)
  return found?.event.id === eventId ? found.position : undefined
}

/** A snapshot with the position of the first event after it (`next`), and where the log ended before it was made (`end`). */
export async function readSnapshot({ events, sessions }: FollowDeps, actor: Actor, sessionId: string) {
  const { last: end } = await events.positions()
  const snapshot = await sessions.snapshot(actor, sessionId)
  const at: EventPosition | undefined = snapshot.at === undefined ? undefined : parseEventId(snapshot.at)
  const [next] = await events.readSession(sessionId, at, 1)
  return { snapshot, at, next: next?.position, end }
}
