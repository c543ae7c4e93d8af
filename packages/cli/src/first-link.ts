/** After a server was started as a service: waits until it answers, and shows a link that signs a browser in. */
import { createApiClient } from '@dorkos/shared'
import { askForCode, screenOf } from './ask-for-code.ts'
import { CliError } from './cli-error.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { homeOf, readServerFile, type ServerFile } from './server-files.ts'

const pollMs = 500
const waitMs = 60_000

export interface StartedService {
  /** Nobody will start it again. */
  hasFailed(): Promise<boolean>
  /** The command that shows its log. */
  log: string
}

/** Throws `CliError` when the server does not come up. Where it gives no link, it says what else there is. */
export async function showFirstLink(context: CliContext, service: StartedService): Promise<void> {
  const { stderr } = context
  const server = await waitForServer(context, service)
  try {
    const screen = screenOf(context)
    const { code } = await askForCode(homeOf(context.env), 'link')
    screen.write(
      `DorkOS listens on ${server.url}\nOpen this link to sign in your browser (works once, for ten minutes; \`dorkos code --link\` shows another):\n  ${new URL(server.url).href}#code=${code}\n`,
    )
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    stderr.write(`DorkOS listens on ${server.url}\n${error.message}\n`)
  }
}

async function waitForServer(context: CliContext, service: StartedService): Promise<ServerFile> {
  const { env, stderr, reconnectMs = waitMs } = context
  const until = Date.now() + reconnectMs
  stderr.write('Waiting for the server…')
  try {
    while (Date.now() < until) {
      const server = readServerFile(homeOf(env))
      if (server && (await answers(server))) return server
      if (await service.hasFailed()) break
      stderr.write('.')
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  } finally {
    stderr.write('\n')
  }
  throw new CliError(`The service didn’t start. See its log: ${service.log}`, exitCodes.connection)
}

function answers({ url }: ServerFile): Promise<boolean> {
  return createApiClient({ baseUrl: url })
    .getHealth({ signal: AbortSignal.timeout(5000) })
    .then(
      () => true,
      () => false,
    )
}
