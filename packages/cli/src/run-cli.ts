/** Runs the command with these arguments, and answers with its exit code. */
import { type Command, CommanderError } from 'commander'
import { describeFailure } from './connect.ts'
import type { CliContext } from './context.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { safeText } from './terminal/escape.ts'

/** `args`: without the names of node and the script. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  let exitCode: ExitCode = exitCodes.completed
  const program = createProgram(context, (code) => {
    exitCode = code
  })
  for (const command of allCommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.columns ?? 80,
      getErrHelpWidth: () => context.stderr.columns ?? 80,
    })
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.completed : exitCodes.usage
    const failure = describeFailure(error)
    context.stderr.write(`${safeText(failure.message)}\n`)
    return failure.exitCode
  }
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}
