/** Signing in and out, and tokens. */
import { say } from '@dorkos/shared'
import { tokenOf } from '../../core/actor.ts'
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
    getPairing: ({ actor, params }) => auth.getPairing(actor, params.code),
    confirmPairing: ({ actor, params, body }) => auth.confirmPairing(actor, params.code, body.scopes),
    createCode: ({ actor, body }) => auth.createCode(actor, body.scopes),
    async getCurrentToken({ actor }) {
      const token = (await auth.listTokens(actor)).find(({ current }) => current)
      if (!token) throw new AppError('unauthenticated', say('token_gone'))
      return { token, scopes: [...actor.scopes] }
    },
    signOut: ({ actor }) => auth.revokeToken(actor, tokenOf(actor).id),
    listTokens: async ({ actor }) => ({ tokens: await auth.listTokens(actor) }),
    createToken: ({ actor, body }) => auth.createToken(actor, body),
    renameToken: ({ actor, params, body }) => auth.renameToken(actor, params.id, body.name),
    revokeToken: ({ actor, params }) => auth.revokeToken(actor, params.id),
  } satisfies Partial<Handlers>
}
