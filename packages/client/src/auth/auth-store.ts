/** Whether this browser is signed in, and what it may do. */
import { ApiError, type Scope, type Token } from '@dorkos/shared'
import { useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { claimPrivate, forgetPrivate } from './private-state.ts'
import { forgetToken, storedToken, storeToken } from './token-storage.ts'

export type AuthState =
  | { readonly state: 'checking' }
  /** The server does not answer, so it is not known whether the token is still good. */
  | { readonly state: 'unreachable'; readonly error: unknown }
  | { readonly state: 'signed-out'; readonly why: 'no-token' | 'refused' | 'left' }
  | { readonly state: 'signed-in'; readonly token: Token; readonly scopes: readonly Scope[] }

let current: AuthState = { state: 'checking' }
/** The token that `current` is about. */
let checked: string | undefined
/** The token that `signed-in` was said of. Another tab may have stored another one meanwhile. */
let confirmed: string | undefined
const listeners = new Set<() => void>()

function set(next: AuthState): void {
  current = next
  for (const listener of listeners) listener()
}

export function authState(): AuthState {
  return current
}

export function onAuthChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** On whose behalf requests of this page go out now; undefined while that is not known. */
export function currentPrincipal(): string | undefined {
  return current.state === 'signed-in' && storedToken() === confirmed ? current.token.principal : undefined
}

export function useAuth(): AuthState {
  return useSyncExternalStore(onAuthChange, authState)
}

/** Whether the signed-in token has this scope. */
export function useCan(scope: Scope): boolean {
  const auth = useAuth()
  return auth.state === 'signed-in' && auth.scopes.includes(scope)
}

/** Asks the server about the stored token. */
export async function checkAuth(): Promise<void> {
  const secret = storedToken()
  checked = secret
  if (secret === undefined) {
    const why =
      current.state === 'signed-out' ? current.why : current.state === 'signed-in' ? 'left' : 'no-token'
    return set({ state: 'signed-out', why })
  }
  try {
    const { token, scopes } = await api.getCurrentToken()
    claimPrivate(token.principal)
    confirmed = secret
    set({ state: 'signed-in', token, scopes })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return signedOut('refused')
    // A page that works goes on: the connection has its own way to say that the server is away.
    if (current.state !== 'signed-in') set({ state: 'unreachable', error })
  }
}

/** Takes a token that the server just gave. */
export async function signIn(secret: string): Promise<void> {
  storeToken(secret)
  await checkAuth()
}

/**
 * The token is no good any more: nothing of it stays. One that another tab stored meanwhile is checked instead. Who leaves takes all
 * along; who is refused may sign in again and go on.
 */
export function signedOut(why: 'refused' | 'left'): void {
  const stored = storedToken()
  if (why === 'refused' && stored !== undefined && stored !== checked) return void checkAuth()
  forgetToken()
  if (why === 'left') forgetPrivate()
  checked = undefined
  set({ state: 'signed-out', why })
}

export async function signOut(): Promise<void> {
  await api.signOut({ body: {} }).catch(() => undefined)
  signedOut('left')
}

// Another tab signed in or out.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === 'dorkos.token') void checkAuth()
  })
}
