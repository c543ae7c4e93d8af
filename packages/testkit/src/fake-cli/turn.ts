import type { JsonObject } from './scenario.ts'

/** Thrown by a step whose turn was interrupted. */
export class Interrupted extends Error {}

/** What the steps of one turn share. */
export interface Turn {
  signal: AbortSignal
  /** Interrupted while a tool or a question was open, and not while text streamed. */
  inTools: boolean
  /** The last text said: the result's text. */
  text: string
  resultSent: boolean
  resultDelayMs: number
  startedAt: number
}

export function newTurn(signal: AbortSignal): Turn {
  return { signal, inTools: false, text: '', resultSent: false, resultDelayMs: 0, startedAt: Date.now() }
}

/** The result of an interrupted turn, laid over a usual one. */
export function interruptedResult(turn: Turn): JsonObject {
  const stopReason = turn.inTools ? 'tool_use' : null
  return {
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: turn.inTools ? 'aborted_tools' : 'aborted_streaming',
    stop_reason: stopReason,
    result: undefined,
    errors: [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${stopReason}`],
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Waits for the work, or throws Interrupted as soon as the turn is interrupted. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Interrupted())
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
