/**
 * From a position in the log to live, without a gap and without a repetition: the feed was subscribed before the first read, the
 * log is read until nothing is left, and what the feed held meanwhile comes last. The log is always ahead of the hub, and
 * positions only grow, so one comparison tells what was sent before.
 */
import type { EventLog } from '../core/ports/coordination.ts'
import type { PublishedEvent } from '../core/services.ts'
import { published } from './event-frames.ts'
import type { LiveFeed } from './live-feed.ts'
import type { SseConnection } from './sse-connection.ts'

const batchSize = 200
const writeBytes = 64 * 1024

export interface Replay {
  events: EventLog
  connection: SseConnection
  sessionIds: string[]
  /** The frame of an event, or nothing if it is not for this client. */
  frameOf(event: PublishedEvent): Buffer | undefined
  /** True after the last event that the client wants; `lastFrame` then ends the stream. */
  isOver?(): boolean
  lastFrame?: string
}

/** Sends all that the log has after `from`. Answers with the new position; the connection may be over by then. */
export async function replay(options: Replay, from: number): Promise<number> {
  const { events, connection, sessionIds } = options
  let position = from
  let isMore = sessionIds.length > 0
  while (isMore && !connection.closed) {
    const batch = await events.readMany(sessionIds, position, batchSize)
    isMore = batch.length === batchSize
    const writer = new BatchWriter(connection)
    for (const logged of batch) {
      position = logged.position
      const frame = options.frameOf(published(logged))
      if (frame) await writer.add(frame)
      if (options.isOver?.()) break
    }
    await writer.flush()
    if (options.isOver?.()) {
      connection.end(options.lastFrame)
      return position
    }
  }
  return position
}

/** Replays, and then follows live until the connection ends. Resolves when the stream is live. */
export async function catchUp(options: Replay, feed: LiveFeed, from: number): Promise<void> {
  const { connection } = options
  let position = from
  const onLive = (events: readonly PublishedEvent[]) => {
    if (connection.closed) return
    const frames: Buffer[] = []
    let isOver = false
    for (const event of events) {
      if (event.position <= position || isOver) continue
      position = event.position
      const frame = options.frameOf(event)
      if (frame) frames.push(frame)
      isOver = options.isOver?.() ?? false
    }
    if (frames.length > 0) connection.write(joinedOnce(events, frames), frames.length)
    if (isOver) connection.end(options.lastFrame)
  }
  do {
    position = await replay(options, position)
  } while (!connection.closed && !feed.goLive(onLive))
}

/** The joined frames of a list of events, for the clients after the first that get the same ones. */
const joinedFrames = new WeakMap<readonly PublishedEvent[], { frames: Buffer[]; bytes: Buffer }>()

function joinedOnce(events: readonly PublishedEvent[], frames: Buffer[]): Buffer {
  const [first] = frames
  if (frames.length === 1 && first) return first
  const known = joinedFrames.get(events)
  // Frames are made once for all clients of one kind, so the same buffer is the same frame.
  const isSame =
    known?.frames.length === frames.length && known.frames.every((frame, at) => frame === frames[at])
  if (known && isSame) return known.bytes
  const bytes = Buffer.concat(frames)
  joinedFrames.set(events, { frames, bytes })
  return bytes
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
