/** A program that was registered by hand with an authorization server: its id, and its secret where it has one. */
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { readLine } from '../../read-line.ts'
import { type SecretFlag, secretVariable } from '../../read-secret-flag.ts'
import { type McpCommand, stopped } from './mcp-command.ts'

export interface ClientFlags {
  clientId?: string
  clientSecret?: SecretFlag
  issuer?: string
}

export interface ClientRegistration {
  client_id: string
  client_secret?: string
  /** Whom it was registered with: nobody else gets the secret. */
  issuer: string
}

const longest = 2000

export function checkClientFlags({ clientId, clientSecret, issuer }: ClientFlags): void {
  if (clientId === '') throw new CliError('--client-id is empty.', exitCodes.usage)
  if (clientSecret !== undefined && clientId === undefined)
    throw new CliError('--client-secret needs --client-id.', exitCodes.usage)
  if ((clientId === undefined) !== (issuer === undefined))
    throw new CliError(
      '--client-id and --issuer go together. Run the command without both to see the issuer.',
      exitCodes.usage,
    )
}

/** Undefined: DorkOS registers itself, where it may. */
export async function readClient(
  command: McpCommand,
  { clientId, clientSecret, issuer }: ClientFlags,
): Promise<ClientRegistration | undefined> {
  if (clientId === undefined || issuer === undefined) return undefined
  const secret = (await readSecret(command, clientSecret)).trim()
  if (clientSecret !== undefined && secret === '')
    throw new CliError(
      '`--client-secret -` needs the secret as a line on standard input (after the code, if you pass that too).',
      exitCodes.usage,
    )
  return { client_id: clientId, issuer, ...(secret !== '' && { client_secret: secret }) }
}

async function readSecret(
  { context, asker, signal }: McpCommand,
  flag: SecretFlag | undefined,
): Promise<string> {
  if (flag && !asker) return Promise.race([readLine(context.stdin, longest), stopped(signal)])
  const given = flag ? undefined : context.env[secretVariable]
  if (given !== undefined || !asker) return given ?? ''
  const typed = await asker.ask('Client secret, hidden (Enter for none) > ', { hidden: true })
  signal.throwIfAborted()
  return typed ?? ''
}
