import type { Scope, Token } from '@dorkos/shared'
import { useAuth } from '../auth/auth-store.ts'

const none: readonly Scope[] = []

/** The token of this browser, and what it may do. */
export function useOwn(): { token: Token | undefined; scopes: readonly Scope[] } {
  const auth = useAuth()
  return auth.state === 'signed-in'
    ? { token: auth.token, scopes: auth.scopes }
    : { token: undefined, scopes: none }
}
