import type { CliContext } from './context.ts'
import type { ExitCode } from './exit-codes.ts'

/** Gets what the chosen command does, and does it. */
export type Finish = (work: (context: CliContext) => Promise<ExitCode>) => Promise<void>
