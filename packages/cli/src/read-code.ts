/**
 * `--code -`: a code that comes over standard input. On the command line itself it would be readable for every program of this
 * machine, agents included, and whoever redeems it first has the right.
 */
import { CliError } from './cli-error.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { readLine } from './read-line.ts'

export type CodeFlag = '-'

const longest = 1000

export const codeHelp =
  '- reads a code from standard input; get one from the server’s terminal or a signed-in page'

/** Throws `CliError` for a code in plain sight. The code is not repeated: it still works. */
export function readCodeFlag(text: string): CodeFlag {
  if (text === '-') return text
  throw new CliError(
    'Don’t put a code on the command line, where every program on this machine (agents too) can read it. Use `--code -` and pass the code on standard input, or leave out --code and enter the code when asked.',
    exitCodes.usage,
  )
}

/** The first line of standard input, where that was asked for; what follows it stays there. */
export async function readCode(
  { stdin, stderr }: Pick<CliContext, 'stdin' | 'stderr'>,
  flag: CodeFlag | undefined,
): Promise<string | undefined> {
  if (flag === undefined) return undefined
  if (stdin.isTTY === true) stderr.write('Code > ')
  const code = (await readLine(stdin, longest)).trim()
  if (code === '')
    throw new CliError('`--code -` needs a code as the first line of standard input.', exitCodes.usage)
  return code
}
