/**
 * One-time codes that are exchanged for a token. They live in memory only, as hashes, for ten minutes, and work once. A link
 * code is long and travels in the fragment of a link; a typed one is short enough for a person's fingers, so guesses at it are
 * limited over all sources together.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { Clock } from './ports/clock.ts'
import { GuessLimit, normalTypedCode, randomTypedCode, shownTypedCode } from './typed-code.ts'
import { sha256 } from './verified-tokens.ts'

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

const lifetimeMs = 10 * 60_000
const maxCodes = 100

export class OneTimeCodes {
  readonly #clock: Clock
  readonly #codes = new Map<string, StoredCode>()
  readonly #guesses: GuessLimit

  constructor(clock: Clock) {
    this.#clock = clock
    this.#guesses = new GuessLimit(clock)
  }

  create(grant: CodeGrant, form: 'link' | 'typed'): { code: string; expiresAt: number } {
    this.#dropExpired()
    if (this.#codes.size >= maxCodes) {
      throw new AppError('rate_limited', 'Too many unused codes; they expire after ten minutes.')
    }
    const plain = form === 'link' ? randomBytes(16).toString('base64url') : randomTypedCode()
    const hash = sha256(plain)
    this.#codes.set(hash.toString('hex'), {
      ...grant,
      hash,
      typed: form === 'typed',
      expiresAt: this.#clock.monotonic() + lifetimeMs,
    })
    return {
      code: form === 'link' ? plain : shownTypedCode(plain),
      expiresAt: this.#clock.now() + lifetimeMs,
    }
  }

  /** The grant behind a code, which is used up by this. Throws `gone`, or `rate_limited` after too many guesses. */
  redeem(text: string): CodeGrant {
    this.#dropExpired()
    const typed = normalTypedCode(text)
    if (typed !== undefined) this.#guesses.check()
    const hash = sha256(typed ?? text)
    const key = hash.toString('hex')
    const found = this.#codes.get(key)
    if (!found || !timingSafeEqual(found.hash, hash)) {
      if (typed !== undefined) this.#guesses.wrong()
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

  #dropExpired(): void {
    const now = this.#clock.monotonic()
    for (const [key, code] of this.#codes) if (code.expiresAt <= now) this.#codes.delete(key)
  }
}

export function goneCode(): AppError {
  return new AppError('gone', 'This code was used before, has expired or was never made. Ask for a new one.')
}
