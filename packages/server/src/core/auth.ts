/**
 * Who calls: tokens, and the one-time codes and pairings that turn into them. A token is 256 random bits; the store has its SHA-256 only.
 * Rights come from the stored row, never from the request, and nothing here makes a right that its maker lacks.
 */
import { randomBytes } from 'node:crypto'
import type { ParsedBody, Scope, Token } from '@dorkos/shared'
import { scopes as allScopes, say } from '@dorkos/shared'
import { type Actor, actorName, ownerPrincipal, tokenOf } from './actor.ts'
import { AppError } from './app-error.ts'
import type { Logger } from './logger.ts'
import { type CodeGrant, goneCode, OneTimeCodes } from './one-time-codes.ts'
import { Pairings } from './pairings.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { ShortLived } from './ports/coordination.ts'
import type { TokenStore } from './ports/records.ts'
import type { AuthService } from './services.ts'
import { sha256, VerifiedTokens } from './verified-tokens.ts'

export interface AuthOptions {
  tokens: TokenStore
  shortLived: ShortLived
  clock: Clock
  logger: Logger
  /** Whether an agent of this installation ever used a tool. */
  agentsHaveActed(): Promise<boolean>
  /** A token was made, renamed or revoked: other processes hear of it by `changed`. */
  onChange(token: Pick<Token, 'id' | 'principal'>): void
}

interface SignInCode {
  code: string
  expires_at: string
}

/** A code that whoever started the server chose. */
export interface GivenCode {
  code: string
  from: 'environment' | 'file'
}

export interface Auth extends AuthService {
  /** A code that the server itself gives out, to whoever reads its terminal. `typed`: short, to be typed by hand. */
  createSignInCode(
    scopes: readonly Scope[],
    options?: { typed?: boolean; principal?: string },
  ): Promise<SignInCode>
  /** The same for somebody in another terminal of the owner's account. The caller has made sure that no agent asks. */
  createTerminalCode(form: 'link' | 'typed'): Promise<SignInCode>
  /** Makes a code good that the owner put where agents may read it: it works once, within the hour, and before an agent used a tool. */
  acceptGivenCode(given: GivenCode): Promise<{ expires_at: string }>
  /** Takes a pairing back before anybody claims it. */
  dropPairing(code: string): Promise<void>
  /** A token was changed by this process or another: what is known of it is read anew, and one that was revoked ends here too. */
  changed(tokenId: string): Promise<void>
  /** Such news may have been missed: every token is read anew at its next use. */
  forgetKnown(): void
  /** Cancels timers and listeners. */
  close(): void
}

/** The name of the token that commands of the server's own account have: the server finds last run's by it. */
export const ownTerminals = 'this computer’s terminals'

const hour = 3_600_000
const day = 24 * hour
/** A terminal that may approve keeps that right in memory, for a working day at most. */
const strongTerminalLifetime = 12 * hour
const signedInLifetime = 90 * day

interface NewToken {
  name: string
  scopes: Scope[]
  principal: string
  kind: Token['kind']
  lifetimeMs: number | undefined
  madeBy?: string
}

export function createAuth(options: AuthOptions): Auth {
  const { tokens, shortLived, clock, logger } = options
  const codes = new OneTimeCodes(shortLived, clock)
  const pairings = new Pairings(shortLived, clock)
  const verified = new VerifiedTokens(tokens, clock, logger)

  const end = async (id: string) => {
    verified.revoke(id)
    for (const made of [codes, pairings]) await made.dropMadeBy(id)
  }

  const revoke = async (id: string, by: string) => {
    const ended = await revokeFamily(options, id, by)
    for (const one of ended) await end(one)
    return ended.length > 0
  }

  async function signIn(grant: CodeGrant, { name, kind }: Pick<Token, 'name' | 'kind'>) {
    const lifetimeMs = lifetimeOf(grant, kind, clock.now())
    if (lifetimeMs <= 0) throw goneCode()
    const issued = await issue(options, { ...grant, name, kind, lifetimeMs })
    if (grant.madeBy === undefined) return issued
    // Its maker may have been revoked since the code was looked up.
    const { principal, madeBy } = grant
    const maker = (await tokens.list({ principal })).find(({ id }) => id === madeBy)
    if (maker && maker.revoked_at === undefined) return issued
    await revoke(issued.token.id, grant.madeBy)
    throw goneCode()
  }

  /** What the actor's own token may hand on. */
  async function grantBy(actor: Actor, scopes: readonly Scope[] | undefined): Promise<CodeGrant> {
    const wanted = within(actor, scopes ?? actor.scopes)
    const { principal } = actor
    const maker = (await tokens.list({ principal })).find(({ id }) => id === tokenOf(actor).id)
    if (!maker || maker.revoked_at !== undefined) throw new AppError('unauthenticated', say('token_gone'))
    return grantOf(maker, wanted)
  }

  return {
    async redeem(body, from) {
      if (from !== 'local') refuseOwnName(body.name)
      const grant = await codes.redeem(body.code)
      if (grant.beforeAgents && (await options.agentsHaveActed())) throw goneCode()
      logger.info({ from, kind: body.kind }, 'sign-in code redeemed')
      return signIn(grant, body)
    },
    async requestPairing(body, from) {
      refuseOwnName(body.name)
      const requested = await pairings.request(body, from)
      logger.info({ from, kind: body.kind }, 'pairing requested')
      return requested
    },
    async claimPairing(secret, from) {
      const claimed = await pairings.claim(secret)
      if (!claimed) return { state: 'pending' }
      logger.info({ from, kind: claimed.kind }, 'pairing claimed')
      return { state: 'confirmed', ...(await signIn(claimed.grant, claimed)) }
    },
    getPairing: (_actor, code) => pairings.get(code),
    confirmPairing: async (actor, code, scopes) => pairings.confirm(code, await grantBy(actor, scopes)),
    dropPairing: (code) => pairings.drop(code),
    authenticate: (secret, from, agent) => verified.actor(secret, from, agent),
    async createCode(actor, scopes) {
      const grant = await grantBy(actor, scopes)
      const { code, expiresAt } = await codes.create(grant, 'typed')
      return { code, expires_at: isoTime(expiresAt), scopes: grant.scopes }
    },
    ...serverCodes(codes),
    async createToken(actor, body: ParsedBody<'createToken'>) {
      refuseOwnName(body.name)
      return issue(options, {
        name: body.name,
        scopes: within(actor, body.scopes),
        principal: actor.principal,
        kind: 'api',
        lifetimeMs: body.expires_in_days === undefined ? undefined : body.expires_in_days * day,
      })
    },
    listTokens: (actor) => tokensOf(tokens, actor),
    async renameToken(actor, id, name) {
      const renamed = await rename(tokens, actor, id, name)
      verified.reread(id)
      options.onChange(renamed)
      return isCurrent(actor, id) ? { ...renamed, current: true } : renamed
    },
    async revokeToken(actor, id) {
      const isOwn = (await tokensOf(tokens, actor)).some((one) => one.id === id)
      if (!isOwn || !(await revoke(id, actorName(actor))))
        throw new AppError('not_found', say('token_not_found'))
    },
    onRevoked: (listener) => verified.onRevoked(listener),
    async changed(id) {
      verified.reread(id)
      const token = (await tokens.list({ principal: null })).find((one) => one.id === id)
      if (token?.revoked_at !== undefined) await end(id)
    },
    forgetKnown: () => verified.forget(),
    close: () => verified.close(),
  }
}

/** Codes that no token made. */
function serverCodes(
  codes: OneTimeCodes,
): Pick<Auth, 'createSignInCode' | 'createTerminalCode' | 'acceptGivenCode'> {
  const owners = { scopes: [...allScopes], principal: ownerPrincipal }
  return {
    async createSignInCode(scopes, { typed = false, principal = ownerPrincipal } = {}) {
      const grant = { scopes: ordered(scopes), principal }
      const { code, expiresAt } = await codes.create(grant, typed ? 'typed' : 'link')
      return { code, expires_at: isoTime(expiresAt) }
    },
    async createTerminalCode(form) {
      const { code, expiresAt } = await codes.create(owners, form, 'terminal')
      return { code, expires_at: isoTime(expiresAt) }
    },
    async acceptGivenCode({ code }) {
      const { expiresAt } = await codes.accept(code, { ...owners, beforeAgents: true })
      return { expires_at: isoTime(expiresAt) }
    },
  }
}

/** The token, and all that came from codes which it or those made. Answers with those that ended. */
async function revokeFamily(
  { tokens, clock, logger, onChange }: AuthOptions,
  id: string,
  by: string,
): Promise<string[]> {
  const at = isoTime(clock.now())
  if (!(await tokens.revoke(id, at))) return []
  const all = await tokens.list({ principal: null })
  const ended = [id, ...descendantsOf(id, all)]
  for (const token of all.filter((one) => ended.includes(one.id))) {
    if (token.id !== id) await tokens.revoke(token.id, at)
    logger.info({ token_id: token.id, by }, 'token revoked')
    onChange(token)
  }
  return ended
}

const isCurrent = ({ via }: Actor, tokenId: string) => via.kind === 'token' && via.id === tokenId

/** Their own; the one that they act with is marked. */
async function tokensOf(tokens: TokenStore, actor: Actor): Promise<Token[]> {
  const own = await tokens.list({ principal: actor.principal })
  return own.map((token) => (isCurrent(actor, token.id) ? { ...token, current: true } : token))
}

async function rename(tokens: TokenStore, actor: Actor, id: string, name: string): Promise<Token> {
  const token = (await tokensOf(tokens, actor)).find((one) => one.id === id)
  refuseOwnName(name)
  if (token) refuseOwnName(token.name)
  const renamed = token && (await tokens.rename(id, name))
  if (!renamed) throw new AppError('not_found', say('token_not_found'))
  return renamed
}

/** Whoever bore it would pass for the server's own, and be revoked at its next start. */
function refuseOwnName(name: string): void {
  if (name !== ownTerminals) return
  throw new AppError('conflict', say('token_name_reserved', { name: ownTerminals }))
}

async function issue(
  { tokens, clock, logger, onChange }: AuthOptions,
  fields: NewToken,
): Promise<{ token: Token; secret: string }> {
  const secret = `dork_${randomBytes(32).toString('base64url')}`
  const now = clock.now()
  const token: Token = {
    id: `tok_${randomBytes(10).toString('hex')}`,
    name: fields.name,
    scopes: fields.scopes,
    principal: fields.principal,
    kind: fields.kind,
    created_at: isoTime(now),
    ...(fields.lifetimeMs === undefined ? {} : { expires_at: isoTime(now + fields.lifetimeMs) }),
    ...(fields.madeBy === undefined ? {} : { made_by: fields.madeBy }),
  }
  await tokens.create({ ...token, hash: sha256(secret).toString('hex') })
  logger.info({ token_id: token.id, kind: token.kind, scopes: token.scopes }, 'token issued')
  onChange(token)
  return { token, secret }
}

function grantOf(maker: Token, scopes: Scope[]): CodeGrant {
  const { id, principal, expires_at } = maker
  const grant = { scopes, principal, madeBy: id }
  return expires_at === undefined ? grant : { ...grant, makerExpiresAt: Date.parse(expires_at) }
}

/** How long a token from this code works: never longer than the token that made the code. */
function lifetimeOf(grant: CodeGrant, kind: Token['kind'], now: number): number {
  const strong = grant.scopes.includes('approve') || grant.scopes.includes('admin')
  const standard = kind === 'terminal' && strong ? strongTerminalLifetime : signedInLifetime
  return Math.min(standard, (grant.makerExpiresAt ?? Number.POSITIVE_INFINITY) - now)
}

/** Ids of the valid tokens that came from codes of this one, or of such tokens. */
function descendantsOf(id: string, all: readonly Token[]): string[] {
  const family = new Set([id])
  // A set is walked in the order of its growth: children of children come too.
  for (const parent of family) for (const token of all) if (token.made_by === parent) family.add(token.id)
  return all
    .filter((token) => token.id !== id && family.has(token.id) && !token.revoked_at)
    .map((token) => token.id)
}

/** The wanted scopes, if the actor has them all. */
function within(actor: Actor, wanted: readonly Scope[]): Scope[] {
  const lacking = wanted.filter((scope) => !actor.scopes.includes(scope))
  if (lacking.length > 0) {
    throw new AppError('forbidden', say('token_lacks', { scopes: lacking }), {
      details: { lacking },
    })
  }
  return ordered(wanted)
}

function ordered(wanted: readonly Scope[]): Scope[] {
  return allScopes.filter((scope) => wanted.includes(scope))
}
