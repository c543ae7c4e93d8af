/**
 * The safety net of a session: notices when its parts contradict each other, repairs them, and says so. What it finds
 * is a bug in this program or in the CLI. A contradiction counts only once it has lasted a while, since a healthy
 * session passes through some between two steps. What has been under way for minutes is only reported: ending it could
 * do its work twice.
 */

import { isQueueHeld, type SessionActivity, say, type Turn } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import { noticeOf } from '../notice.ts'
import type { Clock } from '../ports/clock.ts'
import type { TurnQueue } from '../ports/coordination.ts'
import type { SessionRunner } from './session-runner.ts'

/** What is on its way in a session. While something is, nothing contradicts anything. */
export type Movement =
  | 'closing'
  | 'in_line'
  | 'starting'
  | 'ending'
  | 'handing_over'
  | 'storing'
  | 'preparing'

/** All that is known of a session in one moment. */
export interface SessionView {
  /** `paused` from the moment in which a person says so. */
  state: SessionActivity
  moving: Movement | undefined
  /** Messages would be handed over now if any waited. */
  takesMessages: boolean
  /** A person is asked something that the agent knows nothing of. */
  isAsked: boolean
  process: { isIdle: boolean; isInTurn: boolean; turns: readonly string[] } | undefined
  queue: readonly Turn[]
  /** Claimed or running, by the store. */
  open: readonly { id: string }[]
  /** How many events were emitted so far. */
  emitted: number
}

export type Contradiction = {
  kind:
    | 'turn_in_idle_agent'
    | 'turn_without_process'
    | 'queue_asleep'
    | 'state_without_work'
    | 'work_without_state'
  /** The same for as long as nothing moves. */
  about: string
}

export function findContradiction(view: SessionView): Contradiction | undefined {
  const { process, queue, open, state } = view
  if (view.moving) return undefined
  if (process?.isIdle && process.turns.length > 0)
    return { kind: 'turn_in_idle_agent', about: process.turns.join() }
  if (process?.isInTurn && !['working', 'waiting', 'paused'].includes(state))
    return { kind: 'work_without_state', about: process.turns.join() }
  const isAtRest = process === undefined || (process.isIdle && process.turns.length === 0)
  if (!isAtRest) return undefined
  if (open.length > 0) return { kind: 'turn_without_process', about: open.map(({ id }) => id).join() }
  const waits = queue.length > 0 && !isQueueHeld(queue)
  if (waits && view.takesMessages) return { kind: 'queue_asleep', about: queue[0]?.id ?? '' }
  if (!view.isAsked && (state === 'working' || state === 'waiting'))
    return { kind: 'state_without_work', about: String(view.emitted) }
  return undefined
}

/** What may take its time, and is reported once it has taken minutes. */
export interface Pending {
  kind: Exclude<Movement, 'in_line'> | 'beginning'
  /** The same for as long as nothing moves. */
  about: string
}

/** `beginning`: the agent has a message, reports that it works, and no turn has begun; a person neither pauses it nor is asked. */
export function findPending({ moving, process, state }: SessionView): Pending | undefined {
  if (moving) return moving === 'in_line' ? undefined : { kind: moving, about: '' }
  const [first] = process?.turns ?? []
  if (first === undefined || process?.isIdle || process?.isInTurn) return undefined
  return state === 'paused' || state === 'waiting' ? undefined : { kind: 'beginning', about: first }
}

/** Many times what a busy machine needs from one step to the next. */
const graceMs = 15_000
/** Many times what the longest of them takes. */
const stuckMinutes = 3

export interface WatchdogParts {
  turns: TurnQueue
  clock: Clock
  logger: Logger
  /** Ends turns that an owner left, by what the transcript says. */
  settle(runner: SessionRunner, open: (Turn & { epoch: number })[]): Promise<void>
}

interface Seen {
  what: string
  /** On the monotonic clock. */
  since: number
  isReported?: boolean
}

export class Watchdog {
  readonly #parts: WatchdogParts
  readonly #seen = new WeakMap<SessionRunner, Seen>()

  constructor(parts: WatchdogParts) {
    this.#parts = parts
  }

  async check(runners: readonly SessionRunner[]): Promise<void> {
    const unfinished = new Map((await this.#parts.turns.unfinished()).map((left) => [left.sessionId, left]))
    for (const runner of runners) {
      const { open = [], queued = 0 } = unfinished.get(runner.id) ?? {}
      const queue = queued > 0 ? await this.#parts.turns.queued(runner.id) : []
      const view = runner.view(queue, open)
      const found = findContradiction(view)
      const pending = findPending(view)
      if (found) {
        const { since } = this.#see(runner, `${found.kind} ${found.about}`)
        if (this.#now() - since >= graceMs) await this.#heal(runner, found, open)
      } else if (pending) this.#reportStuck(runner, pending)
      else this.#seen.delete(runner)
    }
  }

  #now(): number {
    return this.#parts.clock.monotonic()
  }

  #see(runner: SessionRunner, what: string): Seen {
    const before = this.#seen.get(runner)
    const seen = before?.what === what ? before : { what, since: this.#now() }
    this.#seen.set(runner, seen)
    return seen
  }

  /** Once: it stays as it is. */
  #reportStuck(runner: SessionRunner, { kind, about }: Pending): void {
    const seen = this.#see(runner, `${kind} ${about}`)
    if (seen.isReported || this.#now() - seen.since < stuckMinutes * 60_000) return
    seen.isReported = true
    this.#parts.logger.warn({ sessionId: runner.id, pending: kind }, 'a session does not move on')
    const saying = say(`stuck_${kind}`, { minutes: stuckMinutes })
    runner.events.emit({ ...noticeOf(saying, 'stuck'), level: 'warning' })
  }

  async #heal(
    runner: SessionRunner,
    { kind, about }: Contradiction,
    open: (Turn & { epoch: number })[],
  ): Promise<void> {
    this.#seen.delete(runner)
    this.#parts.logger.warn(
      { sessionId: runner.id, kind, about },
      'a session contradicted itself and is repaired',
    )
    const saying = say(`repaired_${kind}`)
    runner.events.emit({ ...noticeOf(saying, 'repaired'), level: 'warning' })
    if (kind === 'turn_in_idle_agent') await runner.stop(saying)
    if (kind === 'turn_without_process') await this.#parts.settle(runner, open)
    if (kind === 'state_without_work') runner.status.set('idle', saying.message)
    if (kind === 'work_without_state') runner.status.set('working', saying.message)
    runner.wake()
  }
}
