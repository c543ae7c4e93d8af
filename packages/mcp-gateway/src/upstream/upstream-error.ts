/**
 * Why a server cannot be reached. `auth`: it wants other credentials. `missing`: what should be started is not there. Neither gets
 * better by itself soon. `other`: everything else, which may.
 */
export class UpstreamError extends Error {
  readonly kind: 'auth' | 'missing' | 'other'

  constructor(kind: UpstreamError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'UpstreamError'
    this.kind = kind
  }
}

/** `canSignIn`: a person can do something about it by signing in. */
export function refusalError(status: number, canSignIn: boolean): UpstreamError {
  const what = canSignIn && status === 401 ? 'sign in to it' : 'it wants other credentials'
  return new UpstreamError('auth', `answered HTTP ${status}: ${what}`)
}
