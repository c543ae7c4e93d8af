/** `POST /api/sessions/:id/messages` with `Accept: text/event-stream`: the message is accepted, then its turn streams until it ends. */
import type { ServerResponse } from 'node:http'
import {
  type AcceptedMessage,
  encodeFrame,
  encodeRecord,
  logStart,
  parseEventId,
  type StreamEvent,
} from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import { catchUp, LiveFeed } from './catch-up.ts'
import { checkVisible, type FollowDeps } from './follow-sessions.ts'

const done = encodeRecord('{}', { event: 'done' })

export async function followMessage(
  deps: FollowDeps,
  actor: Actor,
  sessionId: string,
  send: () => Promise<AcceptedMessage>,
  response: ServerResponse,
): Promise<void> {
  deps.streams.check(actor)
  await checkVisible(deps, actor, sessionId)
  const { events, frames } = deps
  const feed = new LiveFeed(deps.hub, [sessionId])
  try {
    await feed.ready
    const accepted = await send()
    const connection = deps.streams.open(actor, response)
    connection.onClose(() => feed.close())
    await connection.send(encodeFrame({ frame: 'accepted', accepted }, accepted.after))
    if (accepted.turn.state === 'ended') return connection.end(done)
    const after = accepted.after === undefined ? undefined : parseEventId(accepted.after)
    const turn = new TurnOfMessage(accepted)
    await catchUp(
      {
        events,
        connection,
        frameOf: (event) => (turn.has(event) ? frames.ofSession(event) : undefined),
        isOver: () => turn.isOver,
        lastFrame: done,
      },
      feed,
      new Map([[sessionId, after ?? logStart]]),
    )
  } catch (error) {
    feed.close()
    throw error
  }
}

/**
 * Decides which events belong to the turn of a message: from its start to its end. A message that another turn took in
 * (`joined`) goes on with that turn. A session runs one turn at a time, so a turn's events are those between its ends.
 */
class TurnOfMessage {
  readonly #id: string
  #isRunning: boolean
  #isJoined = false
  /** The turn that took the message in. */
  #joinedTurn: string | undefined
  #lastSeen: 'start' | 'end' | undefined
  isOver = false

  constructor({ turn }: AcceptedMessage) {
    this.#id = turn.id
    this.#isRunning = turn.state === 'running' || turn.cause === 'steer'
  }

  has(event: StreamEvent): boolean {
    if (this.isOver) return false
    if (event.type === 'turn_start') {
      this.#lastSeen = 'start'
      if (event.turn_id === this.#id) this.#isRunning = true
    }
    if (event.type === 'user_message' && event.message_id === this.#id && event.turn_id !== this.#id) {
      this.#isRunning = true
      this.#joinedTurn = event.turn_id
    }
    if (event.type !== 'turn_end') return this.#isRunning
    if (this.#joinedTurn !== undefined && event.turn_id === this.#joinedTurn) {
      this.isOver = true
      return true
    }
    return event.turn_id === this.#id ? this.#ownEnd(event.outcome) : this.#otherEnd(event.outcome)
  }

  #ownEnd(outcome: string): boolean {
    this.#isRunning = true
    this.#isJoined = outcome === 'joined'
    // The turn that took it in may have ended first.
    this.isOver = !this.#isJoined || this.#lastSeen === 'end'
    return true
  }

  #otherEnd(outcome: string): boolean {
    if (outcome === 'joined') return this.#isRunning
    this.#lastSeen = 'end'
    this.isOver = this.#isJoined
    return this.#isRunning
  }
}
