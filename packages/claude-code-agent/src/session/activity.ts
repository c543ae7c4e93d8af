/** Follows whether the agent is at work: its own reports, and what runs in the background. */
import type { CliMessage } from '../protocol/control-channel.ts'

export interface ActivityListener {
  /** The agent's own word: it works, or is idle. */
  reported(running: boolean): void
  /** Something is otherwise than before; with a grace when the agent may be about to start again by itself. */
  changed(graceMs: number): void
}

export class Activity {
  readonly #listener: ActivityListener
  #running = false
  #backgroundTasks = 0
  /** Older CLIs, and other transports, may not report their state: then init and result stand for it. */
  #reportsState = false

  constructor(listener: ActivityListener) {
    this.#listener = listener
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
        this.#listener.changed(wakeUpGraceMs)
    }
  }

  #set(running: boolean): void {
    this.#running = running
    this.#listener.reported(running)
    this.#listener.changed(0)
  }
}

/** A background task that is done starts a new turn at once; one that was stopped does not. */
const wakeUpGraceMs = 400
