/**
 * Who calls: tokens and the one-time codes that turn into them. A token is 256 random bits; the store has its SHA-256 only.
 * Rights come from the stored row, never from the request, and nothing here makes a right that its maker lacks.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ParsedBody, Scope, Token } from '@dorkos/shared'
import { scopes as allScopes } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { Logger } from './logger.ts'
import { OneTimeCodes } from './one-time-codes.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { TokenRecord, TokenStore } from './ports/records.ts'
import type { AuthService, Caller } from './services.ts'

export interface AuthOptions {
  tokens: TokenStore
  clock: Clock
  logger: Logger
}

interface SignInCode {
  code: string
  expires_at: string
}

export interface Auth extends AuthService {
  /** A code that the server itself gives out, to whoever reads its terminal. `typed`: short, to be typed by hand. */
  createSignInCode(scopes: readonly Scope[], options?: { typed?: boolean; principal?: string }): SignInCode
  /** Cancels timers and listeners. */
  close(): void
}

const hour = 3_600_000
const day = 24 * hour
/** A terminal that may approve keeps that right in memory, for a working day at most. */
const strongTerminalLifetime = 12 * hour
const signedInLifetime = 90 * day
const touchInterval = 60_000
/** How long a verified token is believed without asking the store again. Revoking through this server is at once. */
const cacheLifetime = 30_000
const cacheSize = 1000
const secretPattern = /^dork_[A-Za-z0-9_-]{43}$/

export function createAuth({ tokens, clock, logger }: AuthOptions): Auth {
  const codes = new OneTimeCodes(clock)
  const verified = new VerifiedTokens(tokens, clock, logger)

  async function issue(fields: {
    name: string
    scopes: Scope[]
    principal: string
    kind: Token['kind']
    lifetimeMs: number | undefined
  }): Promise<{ token: Token; secret: string }> {
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
    }
    await tokens.create({ ...token, hash: sha256(secret).toString('hex') })
    logger.info({ token_id: token.id, kind: token.kind, scopes: token.scopes }, 'token issued')
    return { token, secret }
  }

  return {
    authenticate: (secret, from) => verified.caller(secret, from),
    async redeem(body, from) {
      const grant = codes.redeem(body.code)
      const strong = grant.scopes.includes('approve') || grant.scopes.includes('admin')
      const lifetimeMs = body.kind === 'terminal' && strong ? strongTerminalLifetime : signedInLifetime
      logger.info({ from, kind: body.kind }, 'sign-in code redeemed')
      return issue({ ...grant, name: body.name, kind: body.kind, lifetimeMs })
    },
    async createCode(caller, scopes) {
      const wanted = within(caller, scopes ?? caller.scopes)
      const grant = { scopes: wanted, principal: caller.principal, madeBy: caller.tokenId }
      const { code, expiresAt } = codes.create(grant, 'typed')
      return { code, expires_at: isoTime(expiresAt), scopes: wanted }
    },
    createSignInCode(scopes, { typed = false, principal = 'owner' } = {}) {
      const { code, expiresAt } = codes.create(
        { scopes: ordered(scopes), principal },
        typed ? 'typed' : 'link',
      )
      return { code, expires_at: isoTime(expiresAt) }
    },
    async createToken(caller, body: ParsedBody<'createToken'>) {
      return issue({
        name: body.name,
        scopes: within(caller, body.scopes),
        principal: caller.principal,
        kind: 'api',
        lifetimeMs: body.expires_in_days === undefined ? undefined : body.expires_in_days * day,
      })
    },
    async listTokens(caller) {
      const all = await tokens.list()
      return all.map((token) => (token.id === caller.tokenId ? { ...token, current: true } : token))
    },
    async revokeToken(caller, id) {
      const revoked = await tokens.revoke(id, isoTime(clock.now()))
      if (!revoked) throw new AppError('not_found', 'There is no such token.')
      codes.dropMadeBy(id)
      verified.revoke(id)
      logger.info({ token_id: id, by: caller.tokenId }, 'token revoked')
    },
    onRevoked: (listener) => verified.onRevoked(listener),
    close: () => verified.close(),
  }
}

/** The tokens that were used lately. Knows when one ends, by revocation or in time, and tells. */
class VerifiedTokens {
  readonly #tokens: TokenStore
  readonly #clock: Clock
  readonly #logger: Logger
  /** By hash, least recently used first. */
  readonly #cache = new Map<string, { record: TokenRecord; readAt: number }>()
  readonly #touchedAt = new Map<string, number>()
  readonly #expiries = new Map<string, () => void>()
  readonly #listeners = new Set<(tokenId: string) => void>()
  #revocations = 0

  constructor(tokens: TokenStore, clock: Clock, logger: Logger) {
    this.#tokens = tokens
    this.#clock = clock
    this.#logger = logger
  }

  async caller(secret: string, from: string): Promise<Caller | undefined> {
    if (!secretPattern.test(secret)) return undefined
    const record = await this.#record(sha256(secret))
    if (!record || record.revoked_at !== undefined) return undefined
    if (record.expires_at !== undefined) {
      if (Date.parse(record.expires_at) <= this.#clock.now()) return undefined
      this.#watchExpiry(record.id, Date.parse(record.expires_at))
    }
    this.#touch(record.id)
    return {
      principal: record.principal,
      tokenId: record.id,
      tokenName: record.name,
      scopes: record.scopes,
      from,
    }
  }

  revoke(tokenId: string): void {
    this.#revocations++
    for (const [key, { record }] of this.#cache) if (record.id === tokenId) this.#cache.delete(key)
    this.#touchedAt.delete(tokenId)
    this.#expiries.get(tokenId)?.()
    this.#expiries.delete(tokenId)
    this.#tell(tokenId)
  }

  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    for (const cancel of this.#expiries.values()) cancel()
    this.#expiries.clear()
    this.#listeners.clear()
    this.#cache.clear()
  }

  async #record(hash: Buffer): Promise<TokenRecord | undefined> {
    const key = hash.toString('hex')
    const known = this.#cache.get(key)
    this.#cache.delete(key)
    if (known && this.#clock.monotonic() - known.readAt < cacheLifetime) {
      this.#cache.set(key, known)
      return known.record
    }
    const revocations = this.#revocations
    const record = await this.#tokens.byHash(key)
    // A token that was revoked while it was read must not be remembered as it was.
    if (revocations !== this.#revocations) return this.#record(hash)
    if (!record || !sameHash(record.hash, hash)) return undefined
    this.#cache.set(key, { record, readAt: this.#clock.monotonic() })
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > cacheSize && oldest !== undefined) this.#cache.delete(oldest)
    return record
  }

  /** Long waits are cut into days: a timer cannot hold more than 24 of them. */
  #watchExpiry(tokenId: string, at: number): void {
    if (this.#expiries.has(tokenId)) return
    const wait = Math.min(Math.max(at - this.#clock.now(), 0), day)
    const cancel = this.#clock.after(wait, () => {
      this.#expiries.delete(tokenId)
      if (this.#clock.now() >= at) this.#tell(tokenId)
      else this.#watchExpiry(tokenId, at)
    })
    this.#expiries.set(tokenId, cancel)
  }

  #touch(tokenId: string): void {
    const now = this.#clock.monotonic()
    const last = this.#touchedAt.get(tokenId)
    if (last !== undefined && now - last < touchInterval) return
    if (this.#touchedAt.size >= cacheSize) this.#touchedAt.clear()
    this.#touchedAt.set(tokenId, now)
    this.#tokens.touch(tokenId, isoTime(this.#clock.now())).catch((error: unknown) => {
      this.#logger.warn({ error, token_id: tokenId }, 'last use of a token was not recorded')
    })
  }

  #tell(tokenId: string): void {
    for (const listener of [...this.#listeners]) listener(tokenId)
  }
}

/** The wanted scopes, if the caller has them all. */
function within(caller: Caller, wanted: readonly Scope[]): Scope[] {
  const lacking = wanted.filter((scope) => !caller.scopes.includes(scope))
  if (lacking.length > 0) {
    throw new AppError('forbidden', `This token lacks ${lacking.join(' and ')} and cannot hand it on.`, {
      details: { lacking },
    })
  }
  return ordered(wanted)
}

function ordered(wanted: readonly Scope[]): Scope[] {
  return allScopes.filter((scope) => wanted.includes(scope))
}

function sameHash(stored: string, hash: Buffer): boolean {
  const bytes = Buffer.from(stored, 'hex')
  return bytes.length === hash.length && timingSafeEqual(bytes, hash)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
