/** Signing in and out, and tokens. */
import { AppError } from '../../core/app-error.ts'
import type { AuthService } from '../../core/services.ts'
import { isTypedCode } from '../../core/typed-code.ts'
import type { FailureLimits } from '../failure-limit.ts'
import { type Handlers, tooManyFailures } from '../route.ts'

export function authRoutes(auth: AuthService, failures: FailureLimits) {
  return {
    async redeemCode({ body, from }) {
      const isTyped = isTypedCode(body.code)
      const wait = isTyped ? failures.typed.waitOf(from) : undefined
      if (wait !== undefined) throw tooManyFailures(wait)
      try {
        return await auth.redeem(body, from)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'gone') throw error
        const tooMany = (isTyped ? failures.typed : failures.long).fail(from)
        throw tooMany === undefined ? error : tooManyFailures(tooMany)
      }
    },
    async requestPairing({ body, from }) {
      const wait = failures.pairing.fail(from)
      if (wait !== undefined) throw tooManyFailures(wait)
      return auth.requestPairing(body, from)
    },
    async claimPairing({ body, from }) {
      try {
        return await auth.claimPairing(body.secret, from)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'gone') throw error
        const tooMany = failures.long.fail(from)
        throw tooMany === undefined ? error : tooManyFailures(tooMany)
      }
    },
    getPairing: ({ caller, params }) => auth.getPairing(caller, params.code),
    confirmPairing: ({ caller, params, body }) => auth.confirmPairing(caller, params.code, body.scopes),
    createCode: ({ caller, body }) => auth.createCode(caller, body.scopes),
    async getCurrentToken({ caller }) {
      const token = (await auth.listTokens(caller)).find(({ id }) => id === caller.tokenId)
      if (!token) throw new AppError('unauthenticated', 'The token is gone.')
      return { token, scopes: [...caller.scopes] }
    },
    signOut: ({ caller }) => auth.revokeToken(caller, caller.tokenId),
    listTokens: async ({ caller }) => ({ tokens: await auth.listTokens(caller) }),
    createToken: ({ caller, body }) => auth.createToken(caller, body),
    renameToken: ({ caller, params, body }) => auth.renameToken(caller, params.id, body.name),
    revokeToken: ({ caller, params }) => auth.revokeToken(caller, params.id),
  } satisfies Partial<Handlers>
}
