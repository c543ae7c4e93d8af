/** What other packages may use of the command line. */
export type { CliContext, InputStream, OutputStream, StopSignal } from './context.ts'
export { type ExitCode, exitCodes } from './exit-codes.ts'
export { runCli } from './run-cli.ts'
