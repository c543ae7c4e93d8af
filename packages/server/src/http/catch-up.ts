/**
 * From a position in each session to live, without a gap and without a repetition: the feed was ready before the first read, the
 * log is read until nothing is left, and what the feed held meanwhile comes last. The log is always ahead of the hub, and the
 * positions of a session only grow by one, so one comparison shows what was sent before, and what is missing. So whatever the
 * bus does to events on their way (loses, doubles, delays or reorders them), the client gets them as the log has them.
 */
import {
  compareEventPositions,
  type EventPosition,
  logStart,
  positionOf,
  type StreamEvent,
} from '@dorkos/shared'
import type { EventLog } from '../core/ports/coordination.ts'
import type { EventHub } from '../core/services.ts'
import type { SseConnection } from './sse-connection.ts'

const maxHeld = 1000

export interface LiveListener {
  /** Events of one session. False when some before them are missing. */
  events(events: readonly StreamEvent[]): boolean
  /** Some are missing, and nothing comes any more: read the log, and go live again. */
  missed(): void
}

/**
 * Events of some sessions from the moment of subscription on. They are held back until the reader has caught up with the log,
 * so that nothing falls between replay and live. If more come than may be held, they are let go: the log has them.
 */
export class LiveFeed {
  /** From then on, nothing is missed unless it is said. Before it, the log must not be read. */
  readonly ready: Promise<void>
  readonly #unsubscribe: () => void
  /** Lists as the hub gave them: each is of one session, and the same for all clients. */
  #held: (readonly StreamEvent[])[] = []
  #heldCount = 0
  #listener: LiveListener | undefined
  #hasMissed = false

  constructor(hub: EventHub, sessionIds: Iterable<string>) {
    const { ready, close } = hub.subscribe(sessionIds, {
      events: (events) => this.#take(events),
      missed: () => this.#miss(),
    })
    this.ready = ready
    this.#unsubscribe = close
  }

  /** Passes on what was held, then everything live, in one step. False when some are missing: read the log again first. */
  goLive(listener: LiveListener): boolean {
    const isWhole = !this.#hasMissed && this.#held.every((events) => listener.events(events))
    this.#drop()
    this.#hasMissed = false
    if (isWhole) this.#listener = listener
    return isWhole
  }

  close(): void {
    this.#unsubscribe()
    this.#drop()
  }

  #take(events: readonly StreamEvent[]): void {
    if (this.#listener) {
      if (!this.#listener.events(events)) this.#miss()
    } else if (this.#heldCount + events.length <= maxHeld) {
      this.#held.push(events)
      this.#heldCount += events.length
    } else this.#miss()
  }

  #miss(): void {
    const listener = this.#listener
    this.#drop()
    this.#listener = undefined
    // Whoever is live reads the log from now on; whoever reads it already reads it once more.
    if (listener) listener.missed()
    else this.#hasMissed = true
  }

  #drop(): void {
    this.#held = []
    this.#heldCount = 0
  }
}

const batchSize = 200
const writeBytes = 64 * 1024

/** Of each session of a stream, the newest event that the client has. */
export type Reached = Map<string, EventPosition>

export interface Replay {
  events: EventLog
  connection: SseConnection
  /** The frame of an event, or nothing if it is not for this client. */
  frameOf(event: StreamEvent): Buffer | undefined
  /** True after the last event that the client wants; `lastFrame` then ends the stream. */
  isOver?(): boolean
  lastFrame?: string
}

/**
 * Replays what the log has after `reached`, and then follows live until the connection ends; from the log again whenever some
 * were missed. Resolves when the stream is live.
 */
export async function catchUp(options: Replay, feed: LiveFeed, reached: Reached): Promise<void> {
  const { connection } = options
  const readOn = async () => {
    do {
      for (const sessionId of reached.keys()) await replay(options, sessionId, reached)
    } while (!connection.closed && !feed.goLive(live))
  }
  const live: LiveListener = {
    events: (events) => sendLive(options, events, reached),
    // Without the log nothing can go on; the client comes back with what it has.
    missed: () => void readOn().catch(() => connection.destroy()),
  }
  await readOn()
}

/** Sends what is new of a session's events. False when some before them are missing. */
function sendLive(options: Replay, events: readonly StreamEvent[], reached: Reached): boolean {
  const { connection } = options
  const sessionId = events[0]?.session ?? ''
  const newest = reached.get(sessionId)
  if (connection.closed || !newest) return true
  // Most clients have all that came before, and get all of it.
  const whole = options.isOver ? undefined : wholeOf(events, options.frameOf)
  if (!whole || !isNext(whole.first, newest)) return sendSome(options, events, sessionId, reached)
  reached.set(sessionId, whole.last)
  connection.write(whole.bytes, events.length)
  return true
}

function sendSome(
  options: Replay,
  events: readonly StreamEvent[],
  sessionId: string,
  reached: Reached,
): boolean {
  const { connection } = options
  let newest = reached.get(sessionId) ?? logStart
  const frames: Buffer[] = []
  let isOver = false
  let isWhole = true
  for (const event of events) {
    const at = positionOf(event)
    if (isOver || compareEventPositions(at, newest) <= 0) continue
    isWhole = isNext(at, newest)
    if (!isWhole) break
    newest = at
    const frame = options.frameOf(event)
    if (frame) frames.push(frame)
    isOver = options.isOver?.() ?? false
  }
  reached.set(sessionId, newest)
  if (frames.length > 0) connection.write(Buffer.concat(frames), frames.length)
  if (isOver) connection.end(options.lastFrame)
  return isWhole
}

/** Certainly. Where one epoch ends and the next begins, only the log says what the last event of the older one was. */
function isNext(at: EventPosition, before: EventPosition): boolean {
  if (before.epoch === 0) return at.epoch === 1 && at.seq === 1
  return at.epoch === before.epoch && at.seq === before.seq + 1
}

/** Sends all that the log has of a session. The connection may be over then. */
async function replay(options: Replay, sessionId: string, reached: Reached): Promise<void> {
  const { events, connection } = options
  let isMore = true
  while (isMore && !connection.closed) {
    const batch = await events.readSession(sessionId, reached.get(sessionId), batchSize)
    isMore = batch.length === batchSize
    const writer = new BatchWriter(connection)
    for (const event of batch) {
      reached.set(sessionId, positionOf(event))
      const frame = options.frameOf(event)
      if (frame) await writer.add(frame)
      if (options.isOver?.()) break
    }
    await writer.flush()
    if (options.isOver?.()) return connection.end(options.lastFrame)
  }
}

/** A list without gaps, as all clients of one kind get it. */
interface Whole {
  first: EventPosition
  last: EventPosition
  bytes: Buffer
}

/** By kind of client, which is how its frames are made; null where there is a gap, or a frame is not for this kind. */
const wholes = new WeakMap<Replay['frameOf'], WeakMap<readonly StreamEvent[], Whole | null>>()

function wholeOf(events: readonly StreamEvent[], frameOf: Replay['frameOf']): Whole | null {
  let ofKind = wholes.get(frameOf)
  if (!ofKind) {
    ofKind = new WeakMap()
    wholes.set(frameOf, ofKind)
  }
  let whole = ofKind.get(events)
  if (whole === undefined) {
    whole = joined(events, frameOf)
    ofKind.set(events, whole)
  }
  return whole
}

function joined(events: readonly StreamEvent[], frameOf: Replay['frameOf']): Whole | null {
  const positions = events.map(positionOf)
  const frames = events.flatMap((event) => frameOf(event) ?? [])
  const [first] = positions
  const last = positions.at(-1)
  const hasGap = positions.some((at, index) => index > 0 && !isNext(at, positions[index - 1] ?? logStart))
  if (!first || !last || hasGap || frames.length < events.length) return null
  return { first, last, bytes: Buffer.concat(frames) }
}

/** Joins small frames, so that a long replay takes few writes. */
class BatchWriter {
  readonly #connection: SseConnection
  #frames: Buffer[] = []
  #size = 0

  constructor(connection: SseConnection) {
    this.#connection = connection
  }

  async add(frame: Buffer): Promise<void> {
    this.#frames.push(frame)
    this.#size += frame.length
    if (this.#size >= writeBytes) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return
    const bytes = Buffer.concat(this.#frames)
    this.#frames = []
    this.#size = 0
    await this.#connection.send(bytes)
  }
}
