import type { Session } from '../../src/index.ts'
import { nextTurn } from './collect.ts'

/** The outcome of a session's first turn, which may be over by the time `startSession()` resolves. */
export async function firstTurn(session: Session): Promise<string> {
  return session.getState().lastOutcome ?? (await nextTurn(session))
}
