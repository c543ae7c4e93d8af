/** The one error of the server's core: a code of the contract, what it says to people, and what a program needs besides. */
import type { ProblemCode } from '@dorkos/shared'
import { type Saying, say } from '@dorkos/shared/saying'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ProblemCode
  readonly saying: Saying
  readonly details: unknown

  constructor(code: ProblemCode, saying: Saying, options: { details?: unknown; cause?: unknown } = {}) {
    super(saying.message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.saying = saying
    this.details = options.details
  }
}

/** What another process may learn of an error. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal', say('session_owner_failed'))
}
