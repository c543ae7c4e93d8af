/** Where a person stands who signs in to an MCP server. Pure. */
import type { McpServer, McpSignInStep } from '@dorkos/shared'
import { text } from '../text/page-text.ts'

export interface ParsedSignInLink {
  href: string
  /** Where it leads, from the address itself. */
  host: string
  /** What the sign-in is known by when it comes back. */
  state: string
}

export type SignInStep =
  | { at: 'start'; fault?: string }
  /** The place where one signs in knows only programs that were registered by hand. */
  | { at: 'client'; host: string; issuer: string; fault?: string }
  /** `elsewhere`: other hosts than that of the link, which get what is granted there. */
  | { at: 'link'; link: ParsedSignInLink; elsewhere: string[]; expiresAt: string; opened: boolean }

/** A server that a person can sign in to, and that wants it. */
export function wantsSignIn({ use, can_sign_in, health }: McpServer): boolean {
  return use === 'active' && can_sign_in === true && health?.state === 'needs_auth'
}

/** What the server answered, with an address that may be followed, or the reason why not. */
export function stepAfter(answer: McpSignInStep): SignInStep {
  if (answer.step === 'needs_client') return { at: 'client', host: answer.host, issuer: answer.issuer }
  const link = parseSignInLink(answer.url)
  if (!link) return { at: 'start', fault: text.mcp.signIn.notSafe }
  const elsewhere = [...new Set([answer.token_host, answer.host])].filter((host) => host !== link.host)
  return { at: 'link', link, elsewhere, expiresAt: answer.expires_at, opened: false }
}

const maxLength = 8192

/**
 * An address that a stranger's server named: https, or on this machine also http, and no name or password in it that would pass for
 * the host.
 */
export function parseSignInLink(address: string): ParsedSignInLink | undefined {
  const url = address.length <= maxLength ? parse(address) : undefined
  if (url?.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return { href: url.href, host: url.host, state: url.searchParams.get('state') ?? '' }
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
