/** Tokens, what they may do, and how a browser or a terminal gets one. */
import { z } from 'zod'
import { recordIdSchema, timeSchema } from './ids.ts'

/**
 * `read`: look. `chat`: start sessions and send messages, in modes that ask. `approve`: answer for the person, and choose
 * modes that ask less. `admin`: configuration, workspaces, rules, tokens.
 */
export const scopes = ['read', 'chat', 'approve', 'admin'] as const
export const scopeSchema = z.enum(scopes)
export type Scope = z.infer<typeof scopeSchema>

export const tokenSchema = z.object({
  id: recordIdSchema,
  name: z.string(),
  scopes: z.array(scopeSchema),
  principal: z.string(),
  /** `browser` and `terminal` came from a code; `api` was made on purpose. */
  kind: z.enum(['browser', 'terminal', 'api']),
  created_at: timeSchema,
  expires_at: timeSchema.optional(),
  last_used_at: timeSchema.optional(),
  /** The address that it was last used from. */
  last_used_from: z.string().optional(),
  /** What the program that used it last calls itself (its `User-Agent`), so that a person can distinguish devices. Anybody can say anything there. */
  last_used_agent: z.string().optional(),
  revoked_at: timeSchema.optional(),
  /** The token that made the code which this one came from. It ends with that token. */
  made_by: recordIdSchema.optional(),
  /** The one that asks. */
  current: z.boolean().optional(),
})
export type Token = z.infer<typeof tokenSchema>

export const newTokenSchema = z.object({
  name: z.string().min(1).max(100),
  scopes: z.array(scopeSchema).min(1),
  expires_in_days: z.number().int().min(1).max(3650).optional(),
})

export const tokenChangeSchema = z.strictObject({ name: z.string().trim().min(1).max(100) })

/** A token is shown once. */
export const issuedTokenSchema = z.object({ token: tokenSchema, secret: z.string() })

/** A one-time code: in the sign-in link, in a signed-in page, or on the server's own terminal. */
export const redeemSchema = z.object({
  code: z.string().min(6).max(100),
  name: z.string().min(1).max(100),
  kind: z.enum(['browser', 'terminal']).default('browser'),
})

export const newCodeSchema = z.object({ scopes: z.array(scopeSchema).min(1).optional() })
export const signInCodeSchema = z.object({
  code: z.string(),
  expires_at: timeSchema,
  scopes: z.array(scopeSchema),
})

/**
 * Pairing: the code is shown by what wants to be signed in, and confirmed on a signed-in page, which shows who asks. The
 * secret stays with the one that asked, so that a code which somebody else reads is worth nothing.
 */
export const pairingCodeSchema = z.string().min(6).max(20)
export const newPairingSchema = z.strictObject({
  name: z.string().min(1).max(100),
  kind: z.enum(['browser', 'terminal']).default('browser'),
})
export const requestedPairingSchema = z.object({
  code: z.string(),
  secret: z.string(),
  expires_at: timeSchema,
})
export const pairingSchema = z.object({
  code: z.string(),
  name: z.string(),
  kind: z.enum(['browser', 'terminal']),
  /** The address that it asked from. */
  from: z.string(),
  created_at: timeSchema,
  expires_at: timeSchema,
  confirmed: z.boolean(),
})
export type Pairing = z.infer<typeof pairingSchema>
export const claimedPairingSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('confirmed'), token: tokenSchema, secret: z.string() }),
])
