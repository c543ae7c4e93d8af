/**
 * One-time codes that are exchanged for a token. They live in memory only, as hashes, for ten minutes, and work once. A link
 * code is long and travels in the fragment of a link; a typed one is short enough for a person's fingers, so guesses at it are
 * limited over all sources together.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { Clock } from './ports/clock.ts'

export interface CodeGrant {
  scopes: Scope[]
  principal: string
  /** The token that made the code; absent when the server itself did. */
  madeBy?: string
  /** When that token ends: what the code gives ends then too. */
  makerExpiresAt?: number
}

interface StoredCode extends CodeGrant {
  hash: Buffer
  typed: boolean
  expiresAt: number
}

/** Crockford's base 32: no letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const typedLength = 10
const lifetimeMs = 10 * 60_000
const maxCodes = 100
/** Wrong guesses in ten minutes, after which typed codes rest: against 2^50 codes they find nothing. */
const maxWrongGuesses = 50

export class OneTimeCodes {
  readonly #clock: Clock
  readonly #codes = new Map<string, StoredCode>()
  #wrongGuesses: number[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  create(grant: CodeGrant, form: 'link' | 'typed'): { code: string; expiresAt: number } {
    this.#dropExpired()
    if (this.#codes.size >= maxCodes) {
      throw new AppError('rate_limited', 'Too many unused codes; they expire after ten minutes.')
    }
    const plain = form === 'link' ? randomBytes(16).toString('base64url') : randomTyped()
    const hash = sha256(plain)
    this.#codes.set(hash.toString('hex'), {
      ...grant,
      hash,
      typed: form === 'typed',
      expiresAt: this.#clock.monotonic() + lifetimeMs,
    })
    return {
      code: form === 'link' ? plain : `${plain.slice(0, 5)}-${plain.slice(5)}`,
      expiresAt: this.#clock.now() + lifetimeMs,
    }
  }

  /** The grant behind a code, which is used up by this. Throws `gone`, or `rate_limited` after too many guesses. */
  redeem(text: string): CodeGrant {
    this.#dropExpired()
    const typed = normalTyped(text)
    if (typed !== undefined) this.#checkGuesses()
    const hash = sha256(typed ?? text)
    const key = hash.toString('hex')
    const found = this.#codes.get(key)
    if (!found || !timingSafeEqual(found.hash, hash)) {
      if (typed !== undefined) this.#wrongGuesses.push(this.#clock.monotonic())
      throw goneCode()
    }
    this.#codes.delete(key)
    return {
      scopes: found.scopes,
      principal: found.principal,
      ...(found.madeBy === undefined ? {} : { madeBy: found.madeBy }),
      ...(found.makerExpiresAt === undefined ? {} : { makerExpiresAt: found.makerExpiresAt }),
    }
  }

  /** Takes back what a token made, when it is revoked. */
  dropMadeBy(tokenId: string): void {
    for (const [key, code] of this.#codes) if (code.madeBy === tokenId) this.#codes.delete(key)
  }

  #checkGuesses(): void {
    const since = this.#clock.monotonic() - lifetimeMs
    this.#wrongGuesses = this.#wrongGuesses.filter((at) => at > since).slice(-maxWrongGuesses)
    const [first] = this.#wrongGuesses
    if (this.#wrongGuesses.length < maxWrongGuesses || first === undefined) return
    throw new AppError('rate_limited', 'Too many wrong codes; typed codes rest for a while.', {
      details: { retry_after: Math.ceil((first - since) / 1000) },
    })
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic()
    for (const [key, code] of this.#codes) if (code.expiresAt <= now) this.#codes.delete(key)
  }
}

export function goneCode(): AppError {
  return new AppError('gone', 'This code was used before, has expired or was never made. Ask for a new one.')
}

function randomTyped(): string {
  return [...randomBytes(typedLength)].map((byte) => alphabet.charAt(byte & 31)).join('')
}

/** Whether this may be a typed code: short enough that guesses at it must be limited. */
export function isTypedCode(text: string): boolean {
  return normalTyped(text) !== undefined
}

/** As it was made, whatever case, dashes and look-alikes a person typed. Undefined when it cannot be a typed code. */
function normalTyped(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain) ? plain : undefined
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
