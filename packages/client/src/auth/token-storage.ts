/**
 * This browser's token. It is kept in localStorage, so that every tab of this origin has it and a restart of the browser keeps
 * it: cookies would go to every port of this host.
 */
const key = 'dorkos.token'

export function storedToken(): string | undefined {
  return localStorage.getItem(key) ?? undefined
}

export function storeToken(secret: string): void {
  localStorage.setItem(key, secret)
}

export function forgetToken(): void {
  localStorage.removeItem(key)
}
