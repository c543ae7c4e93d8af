/** A pause: holds every tool call and every message that waits, until it is over. */
import type { Outbox } from './outbox.ts'
import { PauseGate } from './pause-gate.ts'
import type { StateTracker } from './state-tracker.ts'

export interface PauseSetup {
  tracker: StateTracker
  outbox: Outbox
  /** Asks the CLI for a message that waits there; true when it gave it back. */
  recall(wireUuid: string): Promise<boolean>
}

export class Pause {
  readonly #setup: PauseSetup
  readonly #gate = new PauseGate()

  constructor(setup: PauseSetup) {
    this.#setup = setup
  }

  get active(): boolean {
    return this.#gate.closed
  }

  async begin(): Promise<void> {
    if (this.active) return
    this.#gate.close()
    this.#setup.tracker.apply({ type: 'pause' })
    await this.#setup.outbox.recallQueued(this.#setup.recall)
  }

  async end(): Promise<void> {
    if (!this.active) return
    this.#gate.open()
    await this.#setup.outbox.releaseHeld()
    this.#setup.tracker.apply({ type: 'resume' })
  }

  /** The session ends: nothing is to be held any more. */
  lift(): void {
    this.#gate.open()
  }

  /** A `PreToolUse` hook: the tool waits here, and then runs as it would have. */
  async holdTool(signal: AbortSignal): Promise<Record<string, never>> {
    if (this.active) await this.#gate.pass(signal)
    return {}
  }
}
