/**
 * Following an event stream: connects, reads, and connects again by itself from where it stood. Every event comes once and
 * in order; where the server cannot continue without a gap, a `resync` frame says so and a snapshot follows.
 */
import { createParser } from 'eventsource-parser'
import { ApiError, errorOfResponse, NetworkError } from './api-client-error.ts'
import type { StreamFrame } from './event.ts'
import { decodeFrame, heartbeatMs } from './event-stream.ts'
import { compareEventPositions, type EventPosition, parseEventId } from './ids.ts'

/** `waiting`: the connection is gone and is tried again in `retryInMs`. */
export type ConnectionState =
  | { state: 'connecting'; attempt: number }
  | { state: 'open' }
  | { state: 'waiting'; attempt: number; retryInMs: number; error: Error | undefined }
  | { state: 'closed' }

export interface FollowOptions {
  /** Ends the stream; the iteration then ends without an error. */
  signal?: AbortSignal
  onState?: (state: ConnectionState) => void
  /** Something came, if only a heartbeat. */
  onHeard?: () => void
  /** The server's time between heartbeats. */
  heartbeatMs?: number
  /** The longest wait between two tries. Default 30 s. */
  maxRetryMs?: number
}

/** One request for the stream, from wherever the source has come to. */
type OpenStream = (signal: AbortSignal) => Promise<Response>

export interface FollowSource {
  open: OpenStream
  /** Sees every frame before it is yielded. */
  onFrame?: (frame: StreamFrame) => void
}

/** Answers that another try cannot mend. */
const finalStatuses = new Set([400, 401, 403, 404, 405, 421])

export async function* follow(
  source: FollowSource,
  options: FollowOptions = {},
): AsyncGenerator<StreamFrame, void, undefined> {
  const { signal, onState } = options
  const seen = new SeenEvents()
  const pace = { retryMs: 1000, attempt: 0 }
  try {
    while (!signal?.aborted) {
      let error: Error | undefined
      try {
        onState?.({ state: 'connecting', attempt: pace.attempt })
        for await (const item of readStream(source.open, options)) {
          if (item.retry !== undefined) pace.retryMs = clamp(item.retry, 50, options.maxRetryMs ?? 30_000)
          if (item.open) onState?.({ state: 'open' })
          if (!item.frame) continue
          pace.attempt = 0
          if (!seen.isNew(item.frame)) continue
          source.onFrame?.(item.frame)
          yield item.frame
        }
      } catch (caught) {
        if (signal?.aborted) return
        if (caught instanceof ApiError && finalStatuses.has(caught.status)) throw caught
        error = caught instanceof Error ? caught : new Error(String(caught))
      }
      if (signal?.aborted) return
      const delay = retryDelay(pace, error, options.maxRetryMs ?? 30_000)
      pace.attempt++
      onState?.({ state: 'waiting', attempt: pace.attempt, retryInMs: delay, error })
      await sleep(delay, signal)
    }
  } finally {
    onState?.({ state: 'closed' })
  }
}

/** Grows from the server's `retry` to the limit, with jitter so that clients do not return all at once. */
function retryDelay(
  pace: { retryMs: number; attempt: number },
  error: Error | undefined,
  limit: number,
): number {
  const asked =
    error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : undefined
  if (asked !== undefined) return Math.min(asked, limit)
  const full = Math.min(pace.retryMs * 2 ** Math.min(pace.attempt, 10), limit)
  return Math.round(full * (0.5 + Math.random() * 0.5))
}

interface StreamItem {
  open?: true
  retry?: number
  frame?: StreamFrame
}

/** One connection, until it ends. Throws when it cannot be made or falls silent. */
async function* readStream(
  open: OpenStream,
  options: FollowOptions,
): AsyncGenerator<StreamItem, void, undefined> {
  const silence = new Silence((options.heartbeatMs ?? heartbeatMs) * 2.5)
  const stop = () => silence.stop()
  options.signal?.addEventListener('abort', stop)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  try {
    const response = await silence.watch(open(silence.controller.signal))
    if (!response.ok || !response.body) throw await errorOfResponse(response)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
      throw new NetworkError('The answer is not an event stream.')
    }
    yield { open: true }
    const items: StreamItem[] = []
    const parser = createParser({
      onRetry: (retry) => items.push({ retry }),
      onEvent: ({ event, id, data }) => {
        const frame = decodeFrame(event, data)
        if (frame && frame.frame !== 'accepted')
          items.push({ frame: id === undefined ? frame : { ...frame, cursor: id } })
      },
    })
    reader = response.body.getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await silence.watch(reader.read())
      if (done) return
      options.onHeard?.()
      parser.feed(decoder.decode(value, { stream: true }))
      yield* items.splice(0)
    }
  } finally {
    options.signal?.removeEventListener('abort', stop)
    silence.stop()
    reader?.cancel().catch(() => undefined)
  }
}

/**
 * Breaks a connection on which nothing comes. Time in which the reader itself is busy does not count. To stop it is not left to
 * `fetch`: Node's holds its signal weakly, and forgets it once the garbage collector has run (observed with 20.20).
 */
class Silence {
  readonly controller = new AbortController()
  readonly #limitMs: number
  #break: (error: Error) => void = () => {}

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  stop(): void {
    this.controller.abort()
    this.#break(new NetworkError('The stream was closed.'))
  }

  async watch<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const broken = new Promise<never>((_resolve, reject) => {
      this.#break = reject
      // Stopped while the reader was busy: there was nothing to break then.
      if (this.controller.signal.aborted) reject(new NetworkError('The stream was closed.'))
      timer = setTimeout(() => {
        reject(new NetworkError(`Nothing came for ${Math.round(this.#limitMs / 1000)} s.`))
        this.controller.abort()
      }, this.#limitMs)
    })
    try {
      return await Promise.race([work, broken])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The newest event of each session that was passed on: nothing up to it is passed on again. */
class SeenEvents {
  readonly #newest = new Map<string, EventPosition>()

  isNew(frame: StreamFrame): boolean {
    if (frame.frame === 'snapshot') {
      this.#set(frame.session, frame.snapshot.at)
    } else if (frame.frame === 'resync') {
      if (frame.session === null) this.#newest.clear()
      else this.#newest.delete(frame.session)
    } else if (frame.frame === 'message') {
      const position = parseEventId(frame.event.id)
      if (!position) return true
      const newest = this.#newest.get(frame.event.session)
      if (newest && compareEventPositions(position, newest) <= 0) return false
      this.#newest.set(frame.event.session, position)
    }
    return true
  }

  #set(session: string, id: string | undefined): void {
    const position = id === undefined ? undefined : parseEventId(id)
    if (position) this.#newest.set(session, position)
    else this.#newest.delete(session)
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, delayMs)
    signal?.addEventListener('abort', done)
  })
}
