/**
 * How many CLI processes live at once. A session that wants one more waits in line; to make room, processes that idle are ended,
 * least recently used first, never one that is busy. Nobody waits for a spare one: it is replaced while it ends.
 */
import { type Saying, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports/clock.ts'
import { type ProcessUse, processesToEnd } from './eviction.ts'

export interface ProcessLimitParts {
  clock: Clock
  logger: Logger
  limits(): { maxLive: number; maxMemoryMb: number; idleMs: number }
  /** The live processes now. */
  processes(): Promise<ProcessUse[]>
  /** A spare process, if there is one, gives its slot up at once. */
  yieldSpare(): void
  /** Ends an idle one. */
  end(sessionId: string, reason: Saying): Promise<void>
}

export class ProcessLimit {
  readonly #parts: ProcessLimitParts
  #taken = 0
  #line: (() => void)[] = []
  #tidying: Promise<void> | undefined
  #tidyAgain = false

  constructor(parts: ProcessLimitParts) {
    this.#parts = parts
  }

  get taken(): number {
    return this.#taken
  }

  /** One more may live, and nobody waits for that. */
  get hasRoom(): boolean {
    return this.#taken < this.#parts.limits().maxLive && this.#line.length === 0
  }

  /**
   * Resolves with what releases it; calling that twice is harmless. `onWait` is called if there is a line; the signal
   * leaves it, with a rejection.
   */
  async acquire(onWait: () => void, signal?: AbortSignal): Promise<() => void> {
    if (!this.hasRoom) this.#parts.yieldSpare()
    if (this.hasRoom) this.#taken++
    else await this.#wait(onWait, signal)
    let given = false
    return () => {
      if (given) return
      given = true
      this.#taken--
      this.#serve()
    }
  }

  /** A process may have become idle: those who wait in line want to know. */
  recheck(): void {
    if (this.#line.length > 0) void this.tidy()
  }

  /** Ends what is idle too long or too much, or in the way of those who wait. */
  tidy(): Promise<void> {
    this.#tidyAgain = true
    this.#tidying ??= this.#tidyUntilDone().finally(() => {
      this.#tidying = undefined
    })
    return this.#tidying
  }

  async #tidyUntilDone(): Promise<void> {
    while (this.#tidyAgain) {
      this.#tidyAgain = false
      await this.#tidy()
    }
  }

  async #tidy(): Promise<void> {
    const { clock, logger, limits, processes, end } = this.#parts
    // There may be more slots than before.
    this.#serve()
    const live = await processes()
    const wanted = this.#line.length
    const ended = processesToEnd(live, { now: clock.monotonic(), wanted, ...limits() })
    await Promise.all(
      ended.map(async (sessionId) => {
        logger.info({ sessionId }, 'an idle process is ended')
        await end(sessionId, say('process_idle')).catch((error: unknown) =>
          logger.warn({ sessionId, err: error }, 'an idle process could not be ended'),
        )
      }),
    )
  }

  #wait(onWait: () => void, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const served = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#line = this.#line.filter((other) => other !== served)
        reject(new AppError('unavailable', say('session_closing')))
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      this.#line.push(served)
      onWait()
      this.#serve()
      this.recheck()
    })
  }

  #serve(): void {
    while (this.#line.length > 0 && this.#taken < this.#parts.limits().maxLive) {
      this.#taken++
      this.#line.shift()?.()
    }
  }
}
