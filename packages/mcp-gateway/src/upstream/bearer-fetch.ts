import type { UpstreamCredentials } from './credentials.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface BearerOptions {
  /** Of the server: the token goes nowhere else, wherever a server may send us. */
  origin: string
  credentials: UpstreamCredentials
  /** Whether a 401 to this method says something about the token. */
  isDecisive(method: string): boolean
  /** Whether another token can be had could not be found out. The answer 401 is handed on after that. */
  onRenewFault(error: unknown): void
}

/** `fetch` with the token of a sign-in. One that is refused is renewed once, and the request sent once more. */
export function createBearerFetch(options: BearerOptions): Fetch {
  const { origin, credentials, isDecisive, onRenewFault } = options
  return async (url, init = {}) => {
    const headers = new Headers(init.headers)
    if (new URL(url).origin !== origin || headers.has('authorization')) return fetch(url, init)
    const send = (token: string | undefined) => {
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
      // Whoever follows a redirect by itself would not ask here where to.
      return fetch(url, { ...init, headers, redirect: 'manual' })
    }
    const token = await credentials.token()
    const response = await send(token)
    if (response.status !== 401 || !isDecisive(init.method ?? 'GET')) return response
    try {
      if (!(await credentials.renew(token))) return response
    } catch (error) {
      onRenewFault(error)
      return response
    }
    const renewed = await credentials.token()
    if (renewed === undefined || renewed === token) return response
    await response.body?.cancel()
    return send(renewed)
  }
}
