/**
 * Pairing: something that wants to be signed in shows a code, and a person who is signed in confirms it. Whoever asked proves it by a
 * secret of 256 bits; the code alone is worth nothing. Pairings live in memory only, as hashes, for ten minutes, and each gives one
 * token. Anybody may ask, so there are never more than a few.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Pairing, ParsedBody } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import { type CodeGrant, goneCode } from './one-time-codes.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import { GuessLimit, normalTypedCode, randomTypedCode, shownTypedCode } from './typed-code.ts'
import { sha256 } from './verified-tokens.ts'

interface StoredPairing {
  codeHash: Buffer
  secretHash: Buffer
  name: string
  kind: Pairing['kind']
  from: string
  createdAt: number
  /** On the wall clock, for people. */
  endsAt: number
  /** On the monotonic clock, which counts. */
  expiresAt: number
  grant?: CodeGrant
}

export interface ClaimedPairing {
  name: string
  kind: Pairing['kind']
  grant: CodeGrant
}

const lifetimeMs = 10 * 60_000
const maxOpen = 20
/** Whoever comes later is refused: if older ones gave way, any program on this host could take away the code that a person looks at. */
const maxOpenFromOneSource = 5

export class Pairings {
  readonly #clock: Clock
  readonly #guesses: GuessLimit
  /** Oldest first. */
  readonly #open = new Set<StoredPairing>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#guesses = new GuessLimit(clock)
  }

  /** Throws `rate_limited` when too many are open. */
  request(body: ParsedBody<'requestPairing'>, from: string) {
    this.#dropExpired()
    this.#checkRoom(from)
    const code = randomTypedCode()
    const secret = randomBytes(32).toString('base64url')
    const createdAt = this.#clock.now()
    const endsAt = createdAt + lifetimeMs
    this.#open.add({
      codeHash: sha256(code),
      secretHash: sha256(secret),
      name: body.name,
      kind: body.kind,
      from,
      createdAt,
      endsAt,
      expiresAt: this.#clock.monotonic() + lifetimeMs,
    })
    return { code: shownTypedCode(code), secret, expires_at: isoTime(endsAt) }
  }

  /** Who shows this code. Throws `gone` where nobody does, and `rate_limited` after too many guesses. */
  get(text: string): Pairing {
    return viewOf(this.#find(text), text)
  }

  /** Throws `conflict` for one that was confirmed before. */
  confirm(text: string, grant: CodeGrant): Pairing {
    const found = this.#find(text)
    if (found.grant) throw new AppError('conflict', 'This code was confirmed before.')
    found.grant = grant
    return viewOf(found, text)
  }

  /** Takes a pairing back, confirmed or not. */
  drop(text: string): void {
    this.#open.delete(this.#find(text))
  }

  /** What was confirmed, which is used up by this; undefined while nobody has. Throws `gone` for a secret that is not known. */
  claim(secret: string): ClaimedPairing | undefined {
    this.#dropExpired()
    const found = this.#byHash('secretHash', sha256(secret))
    if (!found)
      throw new AppError(
        'gone',
        'This pairing was used before, has expired or was taken back. Ask for a new code.',
      )
    const { grant, name, kind } = found
    if (!grant) return undefined
    this.#open.delete(found)
    return { grant, name, kind }
  }

  /** Takes back what a token confirmed, when it is revoked. */
  dropMadeBy(tokenId: string): void {
    for (const one of this.#open) if (one.grant?.madeBy === tokenId) this.#open.delete(one)
  }

  #find(text: string): StoredPairing {
    this.#dropExpired()
    this.#guesses.check()
    const code = normalTypedCode(text)
    const found = code === undefined ? undefined : this.#byHash('codeHash', sha256(code))
    if (found) return found
    this.#guesses.wrong()
    throw goneCode()
  }

  #byHash(which: 'codeHash' | 'secretHash', hash: Buffer): StoredPairing | undefined {
    return [...this.#open].find((one) => timingSafeEqual(one[which], hash))
  }

  #checkRoom(from: string): void {
    const own = [...this.#open].filter((one) => one.from === from)
    if (own.length >= maxOpenFromOneSource) throw tooMany(this.#untilEnd(own))
    if (this.#open.size >= maxOpen) throw tooMany(this.#untilEnd([...this.#open]))
  }

  /** Seconds until the first of these is over. */
  #untilEnd(some: readonly StoredPairing[]): number {
    const first = Math.min(...some.map(({ expiresAt }) => expiresAt))
    return Math.ceil((first - this.#clock.monotonic()) / 1000)
  }

  #dropExpired(): void {
    const now = this.#clock.monotonic()
    for (const one of this.#open) if (one.expiresAt <= now) this.#open.delete(one)
  }
}

function tooMany(retryAfter: number): AppError {
  return new AppError('rate_limited', 'Too many codes wait to be confirmed; they expire after ten minutes.', {
    details: { retry_after: retryAfter },
  })
}

function viewOf({ name, kind, from, createdAt, endsAt, grant }: StoredPairing, text: string): Pairing {
  return {
    code: shownTypedCode(normalTypedCode(text) ?? ''),
    name,
    kind,
    from,
    created_at: isoTime(createdAt),
    expires_at: isoTime(endsAt),
    confirmed: grant !== undefined,
  }
}
