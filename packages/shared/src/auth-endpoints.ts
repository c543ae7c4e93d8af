/** The part of the endpoint table that is about tokens, and how a browser or a terminal gets one. */
import { z } from 'zod'
import { recordIdSchema } from './ids.ts'
import {
  claimedPairingSchema,
  issuedTokenSchema,
  newCodeSchema,
  newPairingSchema,
  newTokenSchema,
  pairingCodeSchema,
  pairingSchema,
  redeemSchema,
  requestedPairingSchema,
  scopeSchema,
  signInCodeSchema,
  tokenSchema,
} from './token.ts'

const record = z.object({ id: recordIdSchema })
const pairing = z.object({ code: pairingCodeSchema })
const empty = z.strictObject({})

export const authEndpoints = {
  redeemCode: {
    method: 'POST',
    path: '/api/auth/redeem',
    summary: 'Exchange a one-time code for a token',
    scope: 'public',
    body: redeemSchema,
    response: issuedTokenSchema,
    status: 201,
    bodyLimit: 4096,
  },
  createCode: {
    method: 'POST',
    path: '/api/auth/codes',
    summary: 'Make a one-time code for another browser or terminal',
    scope: 'approve',
    body: newCodeSchema,
    response: signInCodeSchema,
    status: 201,
  },
  getCurrentToken: {
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The token that asks',
    scope: 'read',
    response: z.object({ token: tokenSchema, scopes: z.array(scopeSchema) }),
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/sign-out',
    summary: 'Revoke the token that asks',
    scope: 'read',
    body: empty,
  },
  listTokens: {
    method: 'GET',
    path: '/api/tokens',
    summary: 'All tokens',
    scope: 'admin',
    response: z.object({ tokens: z.array(tokenSchema) }),
  },
  createToken: {
    method: 'POST',
    path: '/api/tokens',
    summary: 'Make a token; its secret is shown once',
    scope: 'admin',
    body: newTokenSchema,
    response: issuedTokenSchema,
    status: 201,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revoke a token and close its streams',
    scope: 'admin',
    params: record,
  },

  requestPairing: {
    method: 'POST',
    path: '/api/auth/pairings',
    summary: 'Ask to be signed in: shows a code that a person confirms on a signed-in page',
    scope: 'public',
    body: newPairingSchema,
    response: requestedPairingSchema,
    status: 201,
    bodyLimit: 4096,
  },
  claimPairing: {
    method: 'POST',
    path: '/api/auth/pairings/claim',
    summary: 'The token of a pairing that was confirmed; works once',
    scope: 'public',
    body: z.strictObject({ secret: z.string().min(20).max(200) }),
    response: claimedPairingSchema,
    bodyLimit: 4096,
  },
  getPairing: {
    method: 'GET',
    path: '/api/auth/pairings/:code',
    summary: 'Who shows this code',
    scope: 'approve',
    params: pairing,
    response: pairingSchema,
  },
  confirmPairing: {
    method: 'POST',
    path: '/api/auth/pairings/:code/confirm',
    summary: 'Sign in whoever shows this code',
    scope: 'approve',
    params: pairing,
    /** Default: the caller’s own scopes. */
    body: z.strictObject({ scopes: z.array(scopeSchema).min(1).optional() }),
    response: pairingSchema,
  },
} as const
