/**
 * Spare processes: started for people who are about to say something, so that their first message finds a process that is ready. A new
 * session takes one that was started for exactly what it is to be, with the id that was kept for it; any other starts its own.
 */

import { isDeepStrictEqual } from 'node:util'
import { say } from '@dorkos/shared'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports/clock.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { AgentManager } from './agent-manager.ts'
import type { SessionRunner } from './session-runner.ts'

/** Who looks says so every half a minute. */
const presenceMs = 75_000
/** After a start that failed, others would most likely fail too. */
const restMs = 60_000

export interface SparesParts {
  manager: Pick<AgentManager, 'runners' | 'own' | 'letGo'>
  clock: Clock
  logger: Logger
  /** How many there may be. */
  most(): number
  hooks(record: SessionRecord): Promise<Pick<SessionHooks, 'runsUnprompted'>>
}

export class Spares {
  readonly #parts: SparesParts
  /** What is to be started: one new session for each principal, and sessions that somebody has open. */
  readonly #wanted = new Map<string, { record: SessionRecord; until: number }>()
  #starting: Promise<void> | undefined
  #restUntil = 0

  constructor(parts: SparesParts) {
    this.#parts = parts
  }

  /** Somebody may begin a session like this, which is not stored, in the time to come. */
  wantNew(record: SessionRecord, forMs = presenceMs): void {
    const until = this.#parts.clock.monotonic() + forMs
    if (!this.#renew(record, until)) this.#want(newOf(record), record, until)
  }

  /** The first message of a session like this is being written. */
  beginNew(record: SessionRecord): void {
    const { logger } = this.#parts
    this.#find(record)
      ?.beginEarly()
      .catch((error: unknown) => logger.warn({ err: error }, 'a spare process could not begin'))
  }

  /** False where no spare process fits. */
  #renew(record: SessionRecord, until: number): boolean {
    const spare = this.#find(record)
    void spare?.prepare(Math.max(until, spare.spareUntil ?? 0))
    return spare !== undefined
  }

  /** Somebody has this session open, and may say something. */
  want(record: SessionRecord): void {
    const until = this.#parts.clock.monotonic() + presenceMs
    const runner = this.#parts.manager.runners().find(({ id }) => id === record.id)
    if (runner && (runner.live || runner.starting)) void runner.prepare(until)
    else this.#want(record.id, record, until)
  }

  /** Stores a new session, with a spare process if one fits. */
  async with<T extends { created: boolean; record: SessionRecord }>(
    record: SessionRecord,
    store: (record: SessionRecord) => Promise<T>,
  ): Promise<T> {
    const spare = this.#find(record)
    if (!spare) return store(record)
    spare.claim()
    try {
      const stored = await store({ ...record, id: spare.id })
      if (stored.created) await spare.adopt(stored.record)
      return stored
    } finally {
      if (spare.isReserved) this.#end(spare)
    }
  }

  /** What they were started with may no longer hold. */
  endAll(): void {
    this.#wanted.clear()
    for (const spare of this.#all()) this.#end(spare)
  }

  #all(): SessionRunner[] {
    return this.#parts.manager.runners().filter(({ isSpare }) => isSpare)
  }

  #find(record: SessionRecord): SessionRunner | undefined {
    return this.#all().find(
      (spare) => spare.isReserved && (spare.spareUntil ?? 0) > 0 && isSameLaunch(spare.record, record),
    )
  }

  #want(key: string, record: SessionRecord, until: number): void {
    const { clock, most } = this.#parts
    if (most() === 0 || clock.monotonic() < this.#restUntil) return
    this.#wanted.set(key, { record, until })
    this.#starting ??= this.#startWanted().finally(() => {
      this.#starting = undefined
    })
  }

  /** One after the other: starts are work for the machine, and nobody waits for these. */
  async #startWanted(): Promise<void> {
    for (const [key, { record, until }] of this.#wanted) {
      this.#wanted.delete(key)
      // It may have been started while this waited.
      if (key === newOf(record) && this.#renew(record, until)) continue
      await this.#start(record, until).catch((error: unknown) => {
        this.#restUntil = this.#parts.clock.monotonic() + restMs
        this.#parts.logger.warn({ err: error, cwd: record.cwd }, 'a spare process did not start')
      })
    }
  }

  async #start(record: SessionRecord, until: number): Promise<void> {
    const { manager, most, hooks, logger } = this.#parts
    if ((await hooks(record)).runsUnprompted) return
    const oldest = this.#all().toSorted((a, b) => a.lastUsed - b.lastUsed)
    for (const spare of oldest.slice(0, Math.max(0, oldest.length + 1 - most())))
      await manager.letGo(spare.id, say('process_spare'))
    const runner = await manager.own(record, 'somebody is about to use it')
    try {
      await runner.prepare(until)
      if (runner.live) logger.info({ cwd: record.cwd }, 'a process is ready')
    } catch (error) {
      // One that is ended while it starts has not failed.
      if (!runner.closing) throw error
    } finally {
      if (runner.isSpare && !runner.live) await manager.letGo(runner.id, say('process_spare'))
    }
  }

  #end({ id }: SessionRunner): void {
    const { manager, logger } = this.#parts
    manager
      .letGo(id, say('process_spare'))
      .catch((error: unknown) => logger.warn({ err: error }, 'a spare process could not be ended'))
  }
}

/** One new session for each principal is wanted at a time. */
const newOf = ({ principal }: SessionRecord): string => `new session of ${principal}`

/** Whether a process that was started for the one is as good for the other. What is not named here decides how a process is started. */
export function isSameLaunch(one: SessionRecord, other: SessionRecord): boolean {
  return isDeepStrictEqual(launchOf(one), launchOf(other))
}

function launchOf(record: SessionRecord): Partial<SessionRecord> {
  const { id, firstPrompt, requestHash, budgetUsd, cliSessionIds, state, createdAt, updatedAt, ...launch } =
    record
  return launch
}
