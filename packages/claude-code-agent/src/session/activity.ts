/** Follows whether the agent is at work: its own reports, and what runs in the background. */
import type { CliMessage } from '../protocol/control-channel.ts'

export class Activity {
  readonly #changed: (graceMs: number) => void
  #running = false
  #backgroundTasks = 0
  /** Older CLIs, and other transports, may not report their state: then init and result stand for it. */
  #reportsState = false

  /** `changed` is called on every change; with a grace when the agent may be about to start again by itself. */
  constructor(changed: (graceMs: number) => void) {
    this.#changed = changed
  }

  get running(): boolean {
    return this.#running
  }

  get backgroundTasks(): number {
    return this.#backgroundTasks
  }

  observe(raw: CliMessage): void {
    if (raw.type === 'result' && !this.#reportsState) this.#set(false)
    if (raw.type !== 'system') return
    switch (raw.subtype) {
      case 'session_state_changed':
        this.#reportsState = true
        // `requires_action` is still at work; what is asked is known from the requests themselves.
        if (raw.state === 'running' || raw.state === 'idle') this.#set(raw.state === 'running')
        return
      case 'init':
        if (!this.#reportsState) this.#set(true)
        return
      case 'background_tasks_changed':
        this.#backgroundTasks = Array.isArray(raw.tasks) ? raw.tasks.length : 0
        this.#changed(wakeUpGraceMs)
    }
  }

  #set(running: boolean): void {
    this.#running = running
    this.#changed(0)
  }
}

/** A background task that is done starts a new turn at once; one that was stopped does not. */
const wakeUpGraceMs = 400
