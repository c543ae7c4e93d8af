import { type ExitCode, exitCodes } from './exit-codes.ts'

/** Ends the command with a sentence for people on stderr. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.exitCode = exitCode
  }
}
