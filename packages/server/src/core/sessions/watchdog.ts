/**
 * The last net under a session: sees that its parts contradict each other, and puts them right in words that say so. What it
 * finds is a fault of this program or of the CLI. A contradiction counts once it has stood still for a while: between two steps
 * of a healthy session there are some too.
 */
import { isQueueHeld, type SessionState, type Turn } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports/clock.ts'
import type { TurnQueue } from '../ports/coordination.ts'
import type { SessionRunner } from './session-runner.ts'

/** All that is known of a session in one moment. */
export interface SessionView {
  state: SessionState
  /** Something is on its way: a process starts or ends, a message is handed over, a fact is being stored. */
  isMoving: boolean
  /** Messages would be handed over now if any waited. */
  takesMessages: boolean
  /** A person is asked something that the agent knows nothing of. */
  isAsked: boolean
  process: { isIdle: boolean; turns: readonly string[] } | undefined
  queue: readonly Turn[]
  /** Claimed or running, by the store. */
  open: readonly { id: string }[]
  /** How many events were emitted so far. */
  emitted: number
}

export type Contradiction = {
  kind: 'turn_in_idle_agent' | 'turn_without_process' | 'queue_asleep' | 'state_without_work'
  /** The same for as long as nothing moves. */
  about: string
}

export function findContradiction(view: SessionView): Contradiction | undefined {
  const { process, queue, open } = view
  if (view.isMoving) return undefined
  if (process?.isIdle && process.turns.length > 0)
    return { kind: 'turn_in_idle_agent', about: process.turns.join() }
  const isAtRest = process === undefined || (process.isIdle && process.turns.length === 0)
  if (!isAtRest) return undefined
  if (open.length > 0) return { kind: 'turn_without_process', about: open.map(({ id }) => id).join() }
  const waits = queue.length > 0 && !isQueueHeld(queue)
  if (waits && view.takesMessages) return { kind: 'queue_asleep', about: queue[0]?.id ?? '' }
  if (!view.isAsked && (view.state === 'working' || view.state === 'waiting'))
    return { kind: 'state_without_work', about: String(view.emitted) }
  return undefined
}

const words: Record<Contradiction['kind'], string> = {
  turn_in_idle_agent:
    'The agent was idle, but the end of its turn was never told. Its process was started anew.',
  turn_without_process: 'A turn was recorded as running that no process worked on. It was ended.',
  queue_asleep: 'Messages waited though nothing held them. They run now.',
  state_without_work: 'The session was shown at work though nothing ran in it.',
}

/** Many times what a busy machine needs from one step to the next. */
const graceMs = 15_000

export interface WatchdogParts {
  turns: TurnQueue
  clock: Clock
  logger: Logger
  /** Ends turns that an owner left, by what the transcript says. */
  settle(runner: SessionRunner, open: (Turn & { epoch: number })[]): Promise<void>
}

export class Watchdog {
  readonly #parts: WatchdogParts
  readonly #seen = new WeakMap<SessionRunner, { what: string; since: number }>()

  constructor(parts: WatchdogParts) {
    this.#parts = parts
  }

  async look(runners: readonly SessionRunner[]): Promise<void> {
    const unfinished = new Map((await this.#parts.turns.unfinished()).map((left) => [left.sessionId, left]))
    for (const runner of runners) {
      const { open = [], queued = 0 } = unfinished.get(runner.id) ?? {}
      const queue = queued > 0 ? await this.#parts.turns.queued(runner.id) : []
      const found = findContradiction(runner.view(queue, open))
      if (found && this.#isConfirmed(runner, `${found.kind} ${found.about}`))
        await this.#withOwnHealth(runner, found, open)
      if (!found) this.#seen.delete(runner)
    }
  }

  #isConfirmed(runner: SessionRunner, what: string): boolean {
    const now = this.#parts.clock.monotonic()
    const seen = this.#seen.get(runner)
    if (seen?.what === what) return now - seen.since >= graceMs
    this.#seen.set(runner, { what, since: now })
    return false
  }

  async #withOwnHealth(
    runner: SessionRunner,
    { kind, about }: Contradiction,
    open: (Turn & { epoch: number })[],
  ): Promise<void> {
    this.#seen.delete(runner)
    this.#parts.logger.warn(
      { sessionId: runner.id, kind, about },
      'a session contradicted itself and is put right',
    )
    const message = words[kind]
    runner.events.emit({ type: 'notice', level: 'warning', code: 'put_right', message })
    if (kind === 'turn_in_idle_agent') await runner.stop(message)
    if (kind === 'turn_without_process') await this.#parts.settle(runner, open)
    if (kind === 'state_without_work') runner.setState('idle', message)
    runner.wake()
  }
}
