import type { JsonObject } from './scenario.ts'

/** Thrown by a step whose turn was interrupted. */
export class Interrupted extends Error {}

/** What the steps of one turn share. */
export interface FakeTurn {
  signal: AbortSignal
  /** Interrupted while a tool or a question was open, and not while text streamed. */
  inTools: boolean
  /** What the model was put last. */
  prompt: string
  /** The last text said: the result's text. */
  text: string
  resultSent: boolean
  resultDelayMs: number
  startedAt: number
}

export function newTurn(signal: AbortSignal): FakeTurn {
  return {
    signal,
    inTools: false,
    prompt: '',
    text: '',
    resultSent: false,
    resultDelayMs: 0,
    startedAt: Date.now(),
  }
}

/** The result of an interrupted turn, laid over a usual one. */
export function interruptedResult(turn: FakeTurn): JsonObject {
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

/** The result of a turn in which the CLI tells that background work was lost, laid over a usual one (2.1.325). */
export const lostTasksResult: JsonObject = {
  terminal_reason: undefined,
  stop_reason: null,
  num_turns: 0,
  origin: { kind: 'task-notification' },
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
