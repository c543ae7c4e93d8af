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
    `${address}\nA browser that has not signed in yet needs a link or a code: press l or c and Enter in the server’s own terminal, make one on a signed-in page, or run \`dorkos code\` in a terminal.\n`,
  )
  const isOpen = await context.openBrowser?.(address)
  if (isOpen) return exitCodes.completed
  context.stderr.write('No browser could be started here; open the address yourself.\n')
  return exitCodes.failed
}
