/**
 * The way of an event: joined, numbered, appended, published. In this order, always: a client never hears of an event
 * that a crash could take back, and what is joined is joined before it has an id.
 *
 * One commit is under way at a time. What comes meanwhile waits and goes together into the next: a slow disk makes
 * larger commits, not a longer queue, and a fast one adds no delay of its own.
 */

import type { NewEvent, Saying, StreamEvent } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import { sayingOf } from '../notice.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import { type AppendBatch, type EventLog, type LeaseGrant, StaleEpochError } from '../ports/coordination.ts'

/** Bytes of waiting text, about, from which writers are asked to hold back. */
const highWater = 4 * 1024 * 1024
const retryMs = 500
/** Characters in a joined delta; a single larger one stays as it is. */
export const maxJoinedChars = 4096

export interface EventWriter {
  /** Takes an event. It is published once it is on disk; in the order of the calls. */
  emit(event: NewEvent): void
  /** Resolves when everything emitted so far is published, or the writer is closed or stale. */
  flushed(): Promise<void>
  /** Resolves at once, or when the log has caught up: await it before reading more from a CLI. */
  ready(): Promise<void>
  close(): Promise<void>
}

interface Writer {
  grant: LeaseGrant
  seq: number
  waiting: { time: string; event: NewEvent }[]
  /** Some of its events are in the commit that is under way. */
  committing: boolean
  closed: boolean
  onStale: () => void
}

interface WriterBatch {
  writer: Writer
  batch: AppendBatch
}

export interface PipelineParts {
  log: EventLog
  /** Those of a session in their order. */
  publish: (events: readonly StreamEvent[]) => void
  clock: Clock
  logger: Logger
  /** Called when the log stops taking events, and when it takes them again. */
  onStorage?: (fault: Saying | undefined) => void
}

export class EventPipeline {
  readonly #parts: PipelineParts
  readonly #writers = new Set<Writer>()
  readonly #committed: (() => void)[] = []
  readonly #caughtUp: (() => void)[] = []
  readonly #between: (() => Promise<void>)[] = []
  #waitingBytes = 0
  #running: Promise<void> | undefined
  #failing = false

  constructor(parts: PipelineParts) {
    this.#parts = parts
  }

  /** `lastSeq`: the newest seq of the grant's epoch (1 after a takeover). `onStale`: another owns the session now. */
  writer(grant: LeaseGrant, lastSeq: number, onStale: () => void): EventWriter {
    const writer: Writer = { grant, seq: lastSeq, waiting: [], committing: false, closed: false, onStale }
    this.#writers.add(writer)
    const flushed = () => this.#flushed(writer)
    return {
      emit: (event) => this.#emit(writer, event),
      flushed,
      ready: () => (this.#waitingBytes < highWater ? Promise.resolve() : wait(this.#caughtUp)),
      close: async () => {
        await flushed()
        writer.closed = true
        this.#writers.delete(writer)
      },
    }
  }

  /**
   * Runs something that appends by itself between two commits, and publishes what it appended: so that events of a
   * session are published in their order, whoever wrote them.
   */
  between<T>(append: () => Promise<{ value: T; events: StreamEvent[] }>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#between.push(() =>
        append().then(({ value, events }) => {
          this.#parts.publish(events)
          resolve(value)
        }, reject),
      )
      this.#start()
    })
  }

  /** Resolves when nothing waits. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running
  }

  #emit(writer: Writer, event: NewEvent): void {
    if (writer.closed) return
    writer.waiting.push({ time: isoTime(this.#parts.clock.now()), event })
    this.#waitingBytes += sizeOf(event)
    this.#start()
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // What came after the last look found a commit under way, and nobody else looks for it.
      if (this.#between.length > 0 || [...this.#writers].some(({ waiting }) => waiting.length > 0))
        this.#start()
    })
  }

  async #flushed(writer: Writer): Promise<void> {
    while (!writer.closed && (writer.waiting.length > 0 || writer.committing)) await wait(this.#committed)
  }

  async #run(): Promise<void> {
    // Events of one message come in one call stack and belong in one commit.
    await Promise.resolve()
    for (;;) {
      for (const append of this.#between.splice(0)) await append()
      const batches = this.#takeBatches()
      if (batches.length === 0) return
      await this.#commit(batches)
      release(this.#committed)
      if (this.#waitingBytes < highWater) release(this.#caughtUp)
    }
  }

  #takeBatches(): WriterBatch[] {
    const batches: WriterBatch[] = []
    for (const writer of this.#writers) {
      if (writer.waiting.length === 0) continue
      const events = joined(writer.waiting)
      writer.waiting = []
      writer.committing = true
      const { sessionId, epoch } = writer.grant
      batches.push({ writer, batch: { sessionId, epoch, firstSeq: writer.seq + 1, events } })
    }
    this.#waitingBytes = 0
    return batches
  }

  async #commit(batches: WriterBatch[]): Promise<void> {
    const results = await this.#appendUntilItWorks(batches.map(({ batch }) => batch))
    const published: StreamEvent[] = []
    for (const [index, { writer, batch }] of batches.entries()) {
      const result = results[index]
      writer.committing = false
      if (result?.status === 'fulfilled') {
        writer.seq += batch.events.length
        published.push(...result.value)
      } else this.#lose(writer, result?.reason)
    }
    this.#parts.publish(published)
  }

  /** A full or busy disk must not lose events: they wait, and the CLIs with them, until it takes them. */
  async #appendUntilItWorks(batches: AppendBatch[]): Promise<PromiseSettledResult<StreamEvent[]>[]> {
    for (;;) {
      try {
        const results = await this.#parts.log.append(batches)
        if (this.#failing) this.#reportStorage(undefined)
        return results
      } catch (error) {
        if (!this.#failing) this.#reportStorage(error)
        await new Promise<void>((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #reportStorage(error: unknown): void {
    this.#failing = error !== undefined
    if (error === undefined) this.#parts.logger.info({}, 'the event log takes events again')
    else this.#parts.logger.error({ err: error }, 'the event log does not take events; trying on')
    this.#parts.onStorage?.(error === undefined ? undefined : sayingOf(error))
  }

  #lose(writer: Writer, reason: unknown): void {
    const { sessionId, epoch } = writer.grant
    const stale = reason instanceof StaleEpochError
    const message = stale ? 'the session was taken over' : 'events were refused'
    this.#parts.logger.error({ sessionId, epoch, err: reason }, message)
    writer.closed = true
    writer.waiting = []
    this.#writers.delete(writer)
    writer.onStale()
  }
}

/** Joining keeps the order. Where something was joined, all get the time of the newest. */
function joined(waiting: Writer['waiting']): AppendBatch['events'] {
  const events = joinDeltas(waiting.map(({ event }) => event))
  if (events.length === waiting.length) return waiting
  const time = waiting.at(-1)?.time ?? ''
  return events.map((event) => ({ time, event }))
}

type Delta = Extract<NewEvent, { type: 'text_delta' | 'thinking_delta' | 'tool_call_delta' }>

/** Joins neighbouring deltas of one block. The text of each block, and the order of everything, stay the same. */
export function joinDeltas(events: readonly NewEvent[]): NewEvent[] {
  const joined: NewEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    const together = last && isDelta(last) && isDelta(event) ? join(last, event) : undefined
    if (together === undefined) joined.push(event)
    else joined[joined.length - 1] = together
  }
  return joined
}

function isDelta(event: NewEvent): event is Delta {
  return event.type === 'text_delta' || event.type === 'thinking_delta' || event.type === 'tool_call_delta'
}

function join(first: Delta, second: Delta): Delta | undefined {
  if (first.parent !== second.parent) return undefined
  if (first.type === 'tool_call_delta') {
    if (second.type !== 'tool_call_delta' || first.tool_call_id !== second.tool_call_id) return undefined
    return fits(first.json, second.json) ? { ...first, json: first.json + second.json } : undefined
  }
  if (second.type !== first.type) return undefined
  if (first.message_id !== second.message_id || first.index !== second.index) return undefined
  return fits(first.text, second.text) ? { ...first, text: first.text + second.text } : undefined
}

const fits = (first: string, second: string): boolean => first.length + second.length <= maxJoinedChars

function wait(waiters: (() => void)[]): Promise<void> {
  return new Promise((resolve) => waiters.push(resolve))
}

function release(waiters: (() => void)[]): void {
  for (const resolve of waiters.splice(0)) resolve()
}

/** About how much memory an event holds; only the large fields matter. */
function sizeOf(event: NewEvent): number {
  if (event.type === 'text_delta' || event.type === 'thinking_delta') return 100 + event.text.length
  if (event.type === 'tool_call_delta') return 100 + event.json.length
  return 1000
}
