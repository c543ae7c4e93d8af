/**
 * Why a sign-in cannot begin, end or go on. `grant`: what was granted is not valid any more. `client`: the authorization server does not
 * know us any more. `unreachable`: it may work later. The message is for people, and holds nothing that was secret.
 */
export class SignInError extends Error {
  readonly kind: 'unreachable' | 'unsafe' | 'unusable' | 'refused' | 'grant' | 'client'

  constructor(kind: SignInError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'SignInError'
    this.kind = kind
  }
}
