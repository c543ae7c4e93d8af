/** A pause: holds every tool call and every message that waits, until it is over. */
import type { HookOutput } from '../hooks.ts'
import type { Outbox } from './outbox.ts'
import { PauseGate } from './pause-gate.ts'
import type { StateTracker } from './state-machine.ts'

export interface PauseSetup {
  tracker: StateTracker
  outbox: Outbox
}

export class Pause {
  readonly #setup: PauseSetup
  readonly #gate = new PauseGate()
  #ended = false

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
    await this.#setup.outbox.hold()
  }

  async end(): Promise<void> {
    if (!this.active) return
    // All of it before anything is awaited: a pause that begins meanwhile finds everything in its place.
    this.#gate.open()
    this.#setup.tracker.apply({ type: 'resume' })
    await this.#setup.outbox.release()
  }

  /** The session ends: tools that are held do not run any more. */
  sessionEnds(): void {
    this.#ended = true
    this.#gate.open()
  }

  /** A `PreToolUse` hook: the tool waits here, and then runs as it would have. */
  async holdTool(signal: AbortSignal): Promise<HookOutput> {
    if (!this.active) return {}
    await this.#gate.pass(signal)
    return this.#ended ? denied : {}
  }
}

const denied: HookOutput = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'The session has ended',
  },
}
