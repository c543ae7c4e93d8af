/**
 * `dorkos mcp sign-in <name>`: a person signs in to a server in a browser, which comes back to this command. The tokens are the
 * DorkOS server's: they do not pass through here.
 */
import type { McpSignInStep } from '@dorkos/shared'
import type { CliContext } from '../../context.ts'
import { type ExitCode, exitCodes } from '../../exit-codes.ts'
import { secretVariable } from '../../read-secret-flag.ts'
import { exactLine } from '../../terminal/escape.ts'
import { renderOutcome } from '../../terminal/mcp/render-outcome.ts'
import { shownArgv } from '../../terminal/shown-argv.ts'
import { type CallbackListener, listenForCallback } from './callback-listener.ts'
import {
  type ClientFlags,
  type ClientRegistration,
  checkClientFlags,
  readClient,
} from './client-registration.ts'
import { agree, checkedName, type McpCommand, type McpFlags, runMcpCommand } from './mcp-command.ts'
import { type SignInAddress, signInAddress } from './sign-in-address.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export interface SignInFlags extends McpFlags, ClientFlags {
  callbackPort?: number
  /** What is granted may go to another host than that of the page. */
  yes?: boolean
}

export function signInToServer(context: CliContext, name: string, flags: SignInFlags): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  checkClientFlags(flags)
  return runMcpCommand(context, flags, async (command) => {
    const { client, signal } = command
    const { id } = await command.workspace(flags.workspace)
    // One that does not exist is asked nothing about.
    await client.getMcpServer({ params, query: { workspace_id: id }, signal })
    const target = { name, workspace_id: id, registered: await readClient(command, flags) }
    const listener = await listenForCallback(flags.callbackPort ?? 0)
    try {
      return await signInThrough(listener, command, target, flags)
    } finally {
      listener.close()
    }
  })
}

interface SignInTarget {
  name: string
  workspace_id: string
  registered: ClientRegistration | undefined
}

async function signInThrough(
  listener: CallbackListener,
  command: McpCommand,
  { name, workspace_id, registered }: SignInTarget,
  flags: SignInFlags,
): Promise<ExitCode> {
  const { client, signal, asAdmin, printJson, print, style } = command
  const body = { workspace_id, redirect_uri: listener.redirectUri, ...registered }
  const step = await asAdmin(() => client.beginMcpSignIn({ params: { name }, body, signal }))
  if (step.step === 'needs_client') return explainClient(command, { name, step, listener, flags })
  const address = signInAddress(step.url)
  if (!(await isWanted(command, address, step, flags))) {
    signal.throwIfAborted()
    return exitCodes.failed
  }
  if (flags.json) printJson(step)
  showWhere(command, name, address)
  const answer = await waitForAnswer(command, listener, address)
  const finished = await client.finishMcpSignIn({ body: answer, signal })
  const { server } = finished.details
  if (flags.json) printJson(finished)
  else {
    const at = exactLine(server.signed_in?.host ?? address.host)
    const lines = [`Signed in to ${exactLine(name)} at ${at}`, ...renderOutcome(finished.details, style)]
    print(`${lines.join('\n')}\n`)
  }
  return server.health?.state === 'connected' ? exitCodes.completed : exitCodes.failed
}

/**
 * A hostile server can send people to a page that they trust, and have what they grant there handed to itself. Whoever goes on has
 * seen both names.
 */
async function isWanted(
  command: McpCommand,
  { host }: SignInAddress,
  step: Extract<McpSignInStep, { step: 'open' }>,
  { yes }: SignInFlags,
): Promise<boolean> {
  const others = [...new Set([step.token_host, step.host])].filter((one) => one !== host)
  if (others.length === 0) return true
  const where = others.map((other) => exactLine(other)).join(' and ')
  command.notify(
    `Careful: you’d sign in at ${exactLine(host)}, but the access you grant goes to ${where}.\nIf you don’t recognize ${where}, this could be an attempt to get into your account.\n`,
  )
  if (yes) return true
  if (!command.asker) command.notify('To continue anyway, run the command with --yes.\n')
  return agree(command, 'Continue?')
}

function showWhere({ notify, asker }: McpCommand, name: string, { href, host }: SignInAddress): void {
  notify(
    `To sign in to ${exactLine(name)}, open this ${exactLine(host)} address in a browser on this machine:\n\n  ${href}\n\n`,
  )
  notify(
    asker
      ? 'In a browser elsewhere, the last page won’t load: paste its address here.\n'
      : 'Waiting for the browser to come back…\n',
  )
}

interface ClientNeeded {
  name: string
  step: Extract<McpSignInStep, { step: 'needs_client' }>
  listener: CallbackListener
  flags: SignInFlags
}

function explainClient(command: McpCommand, { name, step, listener, flags }: ClientNeeded): ExitCode {
  if (flags.json) command.printJson(step)
  const { port } = new URL(listener.redirectUri)
  const workspace = flags.workspace === undefined ? [] : ['--workspace', flags.workspace]
  const again = shownArgv([
    name,
    ...workspace,
    '--callback-port',
    port,
    '--issuer',
    step.issuer,
    '--client-id',
  ])
  command.notify(
    [
      `${exactLine(step.host)} only accepts apps registered by hand.`,
      `Register one there with the redirect URI ${listener.redirectUri}, then:`,
      `  dorkos mcp sign-in ${again} <its id>`,
      `If it has a secret, you’ll be asked for it, or set ${secretVariable}.\n`,
    ].join('\n'),
  )
  return exitCodes.failed
}

/** `dorkos mcp sign-out <name>`. */
export function signOutOfServer(context: CliContext, name: string, flags: McpFlags): Promise<ExitCode> {
  const params = { name: checkedName(name) }
  return runMcpCommand(context, flags, async ({ client, signal, asAdmin, workspace, print }) => {
    const query = { workspace_id: (await workspace(flags.workspace)).id }
    const { server } = await client.getMcpServer({ params, query, signal })
    if (!server.signed_in) {
      print(`No one is signed in to ${exactLine(name)}\n`)
      return exitCodes.completed
    }
    await asAdmin(() => client.endMcpSignIn({ params, query, signal }))
    print(`Signed out of ${exactLine(name)} at ${exactLine(server.signed_in.host)}\n`)
    return exitCodes.completed
  })
}
