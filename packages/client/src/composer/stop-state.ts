/** Stopping a turn, from the press of the button to an answer. */

/**
 * `stopping`: asked; it is shown at once. `late`: it was asked long ago and the turn still runs. `failed`: the server could not be asked.
 */
export type StopState =
  | { readonly state: 'none' }
  | { readonly state: 'stopping'; readonly turnId: string }
  | { readonly state: 'late'; readonly turnId: string }
  | { readonly state: 'failed'; readonly turnId: string; readonly fault: string }

export type StopInput =
  | { type: 'asked'; turnId: string }
  | { type: 'timed_out' }
  | { type: 'failed'; fault: string }
  /** The turn that runs now, if one does. */
  | { type: 'turn'; turnId: string | undefined }

export const lateAfterMs = 10_000
export const notStopping: StopState = { state: 'none' }

export function reduceStop(state: StopState, input: StopInput): StopState {
  switch (input.type) {
    case 'asked':
      return { state: 'stopping', turnId: input.turnId }
    case 'timed_out':
      return state.state === 'stopping' ? { state: 'late', turnId: state.turnId } : state
    case 'failed':
      return state.state === 'none' ? state : { state: 'failed', turnId: state.turnId, fault: input.fault }
    case 'turn':
      // Another turn than the one that was to be stopped: that one has ended.
      return state.state === 'none' || state.turnId === input.turnId ? state : notStopping
  }
}
