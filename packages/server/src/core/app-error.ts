/** The one error of the server's core: a code of the contract, a sentence for people, and what a program needs besides. */
import type { ProblemCode } from '@dorkos/shared'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ProblemCode
  readonly details: unknown

  constructor(code: ProblemCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.details = options.details
  }
}

/** What another process may learn of an error. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('internal', 'The server that runs this session failed; its log says why.')
}
