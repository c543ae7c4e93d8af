/** How a session ended: as it was asked to, or by the process on its own. Pure. */
import { CLIExitError, ResultError, SessionNotFoundError } from '../errors.ts'
import type { TransportExit } from '../transport/transport.ts'
import type { ResultMessage } from './messages.ts'
import type { TerminalState } from './state-machine.ts'

export interface Verdict {
  state: TerminalState
  /** Set exactly when the state is `failed`. */
  error?: Error | undefined
}

export interface Circumstances {
  sessionId: string
  /** What was asked for before the process ended, if anything. */
  requested: Verdict | undefined
  exit: TransportExit
  lastResult: ResultMessage | undefined
  initialized: boolean
  busy: boolean
}

export function verdictOf({
  sessionId,
  requested,
  exit,
  lastResult,
  initialized,
  busy,
}: Circumstances): Verdict {
  // The CLI says this in a result, not in an answer to `initialize`.
  if (!initialized && lastResult?.content.includes('No conversation found'))
    return { state: 'failed', error: new SessionNotFoundError(sessionId, lastResult.content) }
  if (requested?.state === 'failed' && !requested.error && lastResult)
    return { state: 'failed', error: new ResultError(lastResult.raw) }
  if (requested) return requested
  if (exit.exitCode === 0 && !busy && initialized) return { state: 'completed' }
  const during = initialized ? 'the session' : 'its start'
  return { state: 'failed', error: new CLIExitError({ ...exit, lastResult: lastResult?.raw, during }) }
}
