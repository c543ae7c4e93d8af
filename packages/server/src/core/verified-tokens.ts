import { createHash, timingSafeEqual } from 'node:crypto'
import type { Actor } from './actor.ts'
import type { Logger } from './logger.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { TokenRecord, TokenStore } from './ports/records.ts'

const day = 24 * 3_600_000
const touchInterval = 60_000
/** For a token that is used from somewhere else than before. */
const moveInterval = 1000
/** How long a verified token is believed without asking the store again. Revoking through this server is at once. */
const cacheLifetime = 30_000
const cacheSize = 1000
const secretPattern = /^dork_[A-Za-z0-9_-]{43}$/

/** The tokens that were used lately. Knows when one ends, by revocation or in time, and notifies. */
export class VerifiedTokens {
  readonly #tokens: TokenStore
  readonly #clock: Clock
  readonly #logger: Logger
  /** By hash, least recently used first. */
  readonly #cache = new Map<string, { record: TokenRecord; readAt: number }>()
  readonly #touched = new Map<string, { at: number; client: string }>()
  readonly #expiries = new Map<string, () => void>()
  readonly #listeners = new Set<(tokenId: string) => void>()
  /** Revocations and new names. */
  #changes = 0

  constructor(tokens: TokenStore, clock: Clock, logger: Logger) {
    this.#tokens = tokens
    this.#clock = clock
    this.#logger = logger
  }

  async actor(secret: string, from: string, agent?: string): Promise<Actor | undefined> {
    if (!secretPattern.test(secret)) return undefined
    const record = await this.#record(sha256(secret))
    if (!record || record.revoked_at !== undefined) return undefined
    if (record.expires_at !== undefined) {
      if (Date.parse(record.expires_at) <= this.#clock.now()) return undefined
      this.#watchExpiry(record.id, Date.parse(record.expires_at))
    }
    this.#touch(record.id, from, agent)
    return {
      principal: record.principal,
      scopes: record.scopes,
      via: { kind: 'token', id: record.id, name: record.name, from },
    }
  }

  revoke(tokenId: string): void {
    this.reread(tokenId)
    this.#touched.delete(tokenId)
    this.#expiries.get(tokenId)?.()
    this.#expiries.delete(tokenId)
    this.#notify(tokenId)
  }

  /** Its row has changed: it is read anew at its next use. */
  reread(tokenId: string): void {
    this.#changes++
    for (const [key, { record }] of this.#cache) if (record.id === tokenId) this.#cache.delete(key)
  }

  forget(): void {
    this.#changes++
    this.#cache.clear()
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
    const changes = this.#changes
    const record = await this.#tokens.byHash(key)
    // A token that was revoked or renamed while it was read must not be remembered as it was.
    if (changes !== this.#changes) return this.#record(hash)
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
      if (this.#clock.now() >= at) this.#notify(tokenId)
      else this.#watchExpiry(tokenId, at)
    })
    this.#expiries.set(tokenId, cancel)
  }

  #touch(tokenId: string, from: string, agent: string | undefined): void {
    const now = this.#clock.monotonic()
    const client = `${from} ${agent ?? ''}`
    const last = this.#touched.get(tokenId)
    if (last && now - last.at < (last.client === client ? touchInterval : moveInterval)) return
    if (this.#touched.size >= cacheSize) this.#touched.clear()
    this.#touched.set(tokenId, { at: now, client })
    this.#tokens.touch(tokenId, { at: isoTime(this.#clock.now()), from, agent }).catch((error: unknown) => {
      this.#logger.warn({ error, token_id: tokenId }, 'last use of a token was not recorded')
    })
  }

  #notify(tokenId: string): void {
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
