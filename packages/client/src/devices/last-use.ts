/** Where a token was last used from and with what, in words that let a person distinguish devices. */
import type { Token } from '@dorkos/shared'
import { deviceName } from '../auth/device-name.ts'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/page-text.ts'
import { isLoopback } from './sign-in-link.ts'

const mostLetters = 60

/** `pageHost`: where this page was opened; a page that came over the network does not stand on the server's machine. */
export function lastAddress(token: Pick<Token, 'last_used_from'>, pageHost: string): string | undefined {
  const from = token.last_used_from
  if (from === undefined) return undefined
  if (isLoopback(from)) return isLoopback(pageHost) ? text.devices.thisMachine : text.devices.serverMachine
  return withVisibleControls(from)
}

/** Such as "Firefox on Linux" or "curl/8.5.0". */
export function lastProgram({ last_used_agent: agent }: Pick<Token, 'last_used_agent'>): string | undefined {
  if (agent === undefined) return undefined
  if (/^Mozilla\//.test(agent)) return deviceName(agent)
  const words = withVisibleControls(agent)
  return words.length > mostLetters ? `${words.slice(0, mostLetters)}…` : words
}

/** Both in one line, as far as they are known. */
export function lastUse(token: Token, pageHost: string): string | undefined {
  const known = [lastProgram(token), lastAddress(token, pageHost)].filter((part) => part !== undefined)
  return known.length === 0 ? undefined : known.join(', ')
}
