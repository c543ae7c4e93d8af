import type { McpServer } from '@dorkos/shared'
import { shownArgv } from '../shown-argv.ts'

/** What to do about a server that wants to know who asks. Undefined where signing in is not the way. */
export function signInHint({ name, health, can_sign_in, signed_in }: McpServer): string | undefined {
  if (health?.state !== 'needs_auth' || can_sign_in !== true) return undefined
  return `sign in${signed_in ? ' again' : ''} with \`dorkos mcp sign-in ${shownArgv([name])}\``
}
