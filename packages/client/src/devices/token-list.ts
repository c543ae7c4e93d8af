/** Tokens as the page of devices orders them. */
import type { Scope, Token } from '@dorkos/shared'
import { scopes } from '@dorkos/shared'
import { isLoopback } from './sign-in-link.ts'

export type TokenState = 'active' | 'expired' | 'revoked'

export function tokenState(token: Pick<Token, 'expires_at' | 'revoked_at'>, now: number): TokenState {
  if (token.revoked_at !== undefined) return 'revoked'
  return token.expires_at !== undefined && Date.parse(token.expires_at) <= now ? 'expired' : 'active'
}

/** Those that work, the one in use first, then the last used; and those that ended, the newest first. */
export function sortTokens(tokens: readonly Token[], now: number): { active: Token[]; ended: Token[] } {
  const last = (token: Token) => Date.parse(token.last_used_at ?? token.created_at)
  const end = (token: Token) => Date.parse(token.revoked_at ?? token.expires_at ?? token.created_at)
  const active = tokens.filter((token) => tokenState(token, now) === 'active')
  const ended = tokens.filter((token) => tokenState(token, now) !== 'active')
  return {
    active: active.toSorted(
      (a, b) => Number(b.current ?? false) - Number(a.current ?? false) || last(b) - last(a),
    ),
    ended: ended.toSorted((a, b) => end(b) - end(a)),
  }
}

/** Those that end with a token: it signed them in, or one of those did. */
export function endsWith(id: string, tokens: readonly Token[], now: number): Token[] {
  const family = new Set([id])
  // A set is walked in the order of its growth: children of children come too.
  for (const parent of family) for (const token of tokens) if (token.made_by === parent) family.add(token.id)
  return tokens.filter(
    (token) => token.id !== id && family.has(token.id) && tokenState(token, now) === 'active',
  )
}

/** What to offer at first: all that one has but the right to everything. */
export function usualScopes(own: readonly Scope[]): Scope[] {
  const usual = scopes.filter((scope) => own.includes(scope) && scope !== 'admin')
  return usual.length > 0 ? usual : [...own]
}

/** For one that asks to be let in. On the server's machine agents run, too, and one of them must not come to answer itself. */
export function scopesToOffer(own: readonly Scope[], from: string): Scope[] {
  const usual = usualScopes(own)
  return isLoopback(from) ? usual.filter((scope) => scope === 'read' || scope === 'chat') : usual
}

/** A scope more or less. Looking belongs to all of them. */
export function toggleScope(chosen: readonly Scope[], scope: Scope, on: boolean): Scope[] {
  return scopes.filter((one) => one === 'read' || (one === scope ? on : chosen.includes(one)))
}

/** The one that came from a code made here since then. */
export function tokenFromCode(
  tokens: readonly Token[],
  maker: string,
  known: ReadonlySet<string>,
): Token | undefined {
  return tokens.find(
    (token) => token.made_by === maker && !known.has(token.id) && token.revoked_at === undefined,
  )
}
