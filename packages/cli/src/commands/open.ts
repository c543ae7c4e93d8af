/** `dorkos open`: the page in a browser. */
import { connect } from '../connect.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'

export interface OpenFlags {
  print?: boolean
}

/**
 * No sign-in link is made here: the token of this account's terminals can look and chat only, and no token makes one that can
 * do more.
 */
export async function open(context: CliContext, flags: OpenFlags): Promise<ExitCode> {
  const { url } = await connect(context)
  // `connect` takes nothing but http and https; written again from its parts, so that it can be nothing else.
  const address = new URL(url).href
  if (flags.print) {
    context.stdout.write(`${address}\n`)
    return exitCodes.completed
  }
  context.stderr.write(
    `${address}\nTo sign in a new browser, you need a link or code: press L or C, then Enter, in the server’s terminal, create one on a signed-in page, or run \`dorkos code\` in a terminal.\n`,
  )
  const isOpen = await context.openBrowser?.(address)
  if (isOpen) return exitCodes.completed
  context.stderr.write('Couldn’t start a browser here. Open the address yourself.\n')
  return exitCodes.failed
}
