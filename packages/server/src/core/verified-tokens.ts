import { createHash, timingSafeEqual } from 'node:crypto'
import type { Logger } from './logger.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { TokenRecord, TokenStore } from './ports/records.ts'
import type { Caller } from './services.ts'

const day = 24 * 3_600_000
const touchInterval = 60_000
/** How long a verified token is believed without asking the store again. Revoking through this server is at once. */
const cacheLifetime = 30_000
const cacheSize = 1000
const secretPattern = /^dork_[A-Za-z0-9_-]{43}$/

/** The tokens that were used lately. Knows when one ends, by revocation or in time, and tells. */
export class VerifiedTokens {
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

function sameHash(stored: string, hash: Buffer): boolean {
  const bytes = Buffer.from(stored, 'hex')
  return bytes.length === hash.length && timingSafeEqual(bytes, hash)
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
