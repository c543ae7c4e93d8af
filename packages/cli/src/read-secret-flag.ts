/** `--client-secret -`: like a code, a secret does not come over the command line. */
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

export type SecretFlag = '-'

export const secretVariable = 'DORKOS_MCP_CLIENT_SECRET'

/** Throws `CliError` for a secret in plain sight, and does not repeat it. */
export function readSecretFlag(text: string): SecretFlag {
  if (text === '-') return text
  throw new CliError(
    `A secret does not belong on the command line, where every program of this machine can read it (agents too). Use \`--client-secret -\` and give it as a line on standard input, put it into ${secretVariable}, or leave the flag out and type it when it is asked for.`,
    exitCodes.usage,
  )
}
