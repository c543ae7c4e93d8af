/**
 * The events of one session in the order in which they became true. Where a fact must be stored before it is published (a turn's
 * end), what follows waits for it.
 */

import type { NewEvent } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { EventWriter } from '../events/event-pipeline.ts'
import type { Logger } from '../logger.ts'
import { inMessage, sayingOf } from '../notice.ts'
import { StaleEpochError } from '../ports/coordination.ts'
import { untilStored } from './until-stored.ts'

export interface SessionFaults {
  sessionId: string
  logger: Logger
  /** The session turned out to belong to another server. */
  onStale(): void
}

export class SessionEmitter {
  readonly #writer: EventWriter
  readonly #faults: SessionFaults
  /** Set while something is being stored: the events that must come after it. */
  #held: NewEvent[] | undefined
  #storing: Promise<void> = Promise.resolve()
  #emitted = 0

  constructor(writer: EventWriter, faults: SessionFaults) {
    this.#writer = writer
    this.#faults = faults
  }

  /** Something is being stored. */
  get isStoring(): boolean {
    return this.#held !== undefined
  }

  /** How many events were emitted so far. */
  get emitted(): number {
    return this.#emitted
  }

  emit(event: NewEvent): void {
    this.#emitted++
    if (this.#held) this.#held.push(event)
    else this.#writer.emit(event)
  }

  /** Something failed that nobody waits for. */
  fault(error: unknown): void {
    const { sessionId, logger, onStale } = this.#faults
    if (error instanceof StaleEpochError) return onStale()
    logger.error({ sessionId, err: error }, 'session fault')
    const code = error instanceof AppError ? error.code : 'internal'
    this.emit({ type: 'error', code, ...inMessage(sayingOf(error)) })
  }

  /**
   * Stores something, then emits its events. Those emitted meanwhile come after. Stores run one after the other, in the order of the
   * calls. A disk that is full or busy is waited for; when storing fails nothing is emitted, what was held goes on, and the promise rejects.
   */
  storeThenEmit(store: () => Promise<unknown>, events: () => NewEvent[]): Promise<void> {
    const mine: NewEvent[] = []
    this.#held = mine
    const done = this.#storing
      .then(() => untilStored(store))
      .then(
        () => this.#publish([...events(), ...mine], mine),
        (error: unknown) => {
          this.#publish(mine, mine)
          throw error
        },
      )
    this.#storing = done.catch(() => undefined)
    return done
  }

  /** Resolves when all that was emitted and stored so far is published. */
  async flushed(): Promise<void> {
    await this.#storing
    await this.#writer.flushed()
  }

  /** Resolves at once, or when the log has caught up. */
  ready(): Promise<void> {
    return this.#writer.ready()
  }

  async close(): Promise<void> {
    await this.#storing
    await this.#writer.close()
  }

  #publish(events: NewEvent[], held: NewEvent[]): void {
    for (const event of events) this.#writer.emit(event)
    // Only the newest store's list is open; an older one hands over without ending the waiting.
    if (this.#held === held) this.#held = undefined
  }
}
