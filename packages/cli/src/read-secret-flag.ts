/** `--client-secret -`: like a code, a secret does not come over the command line. */
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

export type SecretFlag = '-'

export const secretVariable = 'DORKOS_MCP_CLIENT_SECRET'

/** Throws `CliError` for a secret in plain sight, and does not repeat it. */
export function readSecretFlag(text: string): SecretFlag {
  if (text === '-') return text
  throw new CliError(
    `Don’t put a secret on the command line, where every program on this machine (agents too) can read it. Use \`--client-secret -\` and pass it on standard input, set ${secretVariable}, or leave out the flag and enter it when asked.`,
    exitCodes.usage,
  )
}
