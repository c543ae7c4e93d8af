/** `dorkos code`: a one-time code or link from the running server, for where it has no terminal of its own. */
import { askForCode, screenOf } from '../ask-for-code.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { homeOf, readServerFile } from '../server-files.ts'

export interface CodeFlags {
  link?: boolean
}

export async function code(context: CliContext, { link = false }: CodeFlags): Promise<ExitCode> {
  const screen = screenOf(context)
  const home = homeOf(context.env)
  const server = readServerFile(home)
  if (!server)
    throw new CliError(
      `No server is running for ${home}. Start one with \`dorkos serve\`.`,
      exitCodes.connection,
    )
  const made = await askForCode(home, link ? 'link' : 'typed')
  const until = new Date(made.expires_at).toLocaleTimeString()
  screen.write(
    link
      ? `Open this link to sign in a browser (works once, expires at ${until}):\n  ${new URL(server.url).href}#code=${made.code}\n`
      : `Code: ${made.code}  (works once, expires at ${until}; anyone who has it can do everything you can)\nEnter it on the page at ${server.url}, or in a terminal that asks for one.\n`,
  )
  return exitCodes.completed
}
