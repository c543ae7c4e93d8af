/** Holds the state of a session and reports when it changes. */
import {
  initialState,
  isTerminal,
  type MachineEvent,
  type MachineState,
  next,
  type SessionState,
  stateOf,
} from './state-machine.ts'

export class StateTracker {
  readonly #changed: (from: SessionState, to: SessionState) => void
  #machine: MachineState = initialState

  constructor(changed: (from: SessionState, to: SessionState) => void) {
    this.#changed = changed
  }

  get machine(): MachineState {
    return this.#machine
  }

  get state(): SessionState {
    return stateOf(this.#machine)
  }

  get ended(): boolean {
    return isTerminal(this.#machine.phase)
  }

  apply(event: MachineEvent): void {
    const from = this.state
    this.#machine = next(this.#machine, event)
    if (this.state !== from) this.#changed(from, this.state)
  }
}
