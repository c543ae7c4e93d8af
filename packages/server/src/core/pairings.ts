/**
 * Pairing: something that wants to be signed in shows a code, and a person who is signed in confirms it. Whoever asked proves it by a
 * secret of 256 bits; the code alone is worth nothing. Pairings are stored as hashes, for ten minutes, and each gives one token, at
 * whichever server. Anybody may ask, so there are never more than a few.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { type Pairing, type ParsedBody, say } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import { type CodeGrant, goneCode } from './one-time-codes.ts'
import { type Clock, isoTime } from './ports/clock.ts'
import type { ShortLived, ShortLivedEntry } from './ports/coordination.ts'
import { GuessLimit, normalTypedCode, randomTypedCode, shownTypedCode } from './typed-code.ts'
import { sha256 } from './verified-tokens.ts'

interface StoredPairing {
  /** In hexadecimal digits. */
  secretHash: string
  name: string
  kind: Pairing['kind']
  createdAt: number
  grant?: CodeGrant
}

/** As it is stored, and what was read of it. */
interface OpenPairing {
  entry: ShortLivedEntry
  pairing: StoredPairing
}

export interface ClaimedPairing {
  name: string
  kind: Pairing['kind']
  grant: CodeGrant
}

const kind = 'pairing'
const lifetimeMs = 10 * 60_000
/** Whoever comes later is refused: if older ones gave way, any program on this host could take away the code that a person is reading. */
const most = { ofKind: 20, ofSource: 5 }

export class Pairings {
  readonly #store: ShortLived
  readonly #clock: Clock
  readonly #guesses: GuessLimit

  constructor(store: ShortLived, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#guesses = new GuessLimit(clock)
  }

  /** Throws `rate_limited` when too many are open. */
  async request(body: ParsedBody<'requestPairing'>, from: string) {
    const code = randomTypedCode()
    const secret = randomBytes(32).toString('base64url')
    const createdAt = this.#clock.now()
    const pairing: StoredPairing = {
      secretHash: sha256(secret).toString('hex'),
      name: body.name,
      kind: body.kind,
      createdAt,
    }
    const expiresAt = createdAt + lifetimeMs
    const [id, value] = [sha256(code).toString('hex'), JSON.stringify(pairing)]
    if (!(await this.#store.put({ kind, id, source: from, value, expiresAt }, most)))
      throw await this.#tooMany(from)
    return { code: shownTypedCode(code), secret, expires_at: isoTime(expiresAt) }
  }

  /** Who shows this code. Throws `gone` where nobody does, and `rate_limited` after too many guesses. */
  async get(text: string): Promise<Pairing> {
    return viewOf(await this.#find(text), text)
  }

  /** Throws `conflict` for one that was confirmed before. */
  async confirm(text: string, grant: CodeGrant): Promise<Pairing> {
    const { entry, pairing } = await this.#find(text)
    const confirmed = { ...pairing, grant }
    if (pairing.grant || !(await this.#store.replace(entry, JSON.stringify(confirmed))))
      throw new AppError('conflict', say('pairing_confirmed'))
    return viewOf({ entry, pairing: confirmed }, text)
  }

  /** Takes a pairing back, confirmed or not. */
  async drop(text: string): Promise<void> {
    await this.#store.take(kind, (await this.#find(text)).entry.id)
  }

  /** What was confirmed, which is used up by this; undefined while nobody has. Throws `gone` for a secret that is not known. */
  async claim(secret: string): Promise<ClaimedPairing | undefined> {
    const hash = sha256(secret)
    const found = (await this.#open()).find(({ pairing }) =>
      timingSafeEqual(Buffer.from(pairing.secretHash, 'hex'), hash),
    )
    if (found && !found.pairing.grant) return undefined
    // As it is now: of two who claim it at once, one gets it.
    const taken = found && (await this.#store.take(kind, found.entry.id))
    const { grant, name, kind: of } = taken ? read(taken).pairing : {}
    if (!grant || name === undefined || of === undefined) throw new AppError('gone', say('pairing_gone'))
    return { grant, name, kind: of }
  }

  /** Takes back what a token confirmed, when it is revoked. */
  async dropMadeBy(tokenId: string): Promise<void> {
    for (const { entry, pairing } of await this.#open())
      if (pairing.grant?.madeBy === tokenId) await this.#store.take(kind, entry.id)
  }

  async #open(): Promise<OpenPairing[]> {
    return (await this.#store.list(kind)).map(read)
  }

  async #find(text: string): Promise<OpenPairing> {
    const isRight = this.#guesses.guess()
    const code = normalTypedCode(text)
    const found = code && (await this.#store.get(kind, sha256(code).toString('hex')))
    if (!found) throw goneCode()
    isRight()
    return read(found)
  }

  async #tooMany(from: string): Promise<AppError> {
    const open = await this.#store.list(kind)
    const own = open.filter(({ source }) => source === from)
    const [first] = own.length >= most.ofSource ? own : open
    const wait = Math.max(1, Math.ceil(((first?.expiresAt ?? 0) - this.#clock.now()) / 1000))
    return new AppError('rate_limited', say('pairings_open'), { details: { retry_after: wait } })
  }
}

function read(entry: ShortLivedEntry): OpenPairing {
  return { entry, pairing: JSON.parse(entry.value) as StoredPairing }
}

function viewOf({ entry, pairing }: OpenPairing, text: string): Pairing {
  return {
    code: shownTypedCode(normalTypedCode(text) ?? ''),
    name: pairing.name,
    kind: pairing.kind,
    from: entry.source,
    created_at: isoTime(pairing.createdAt),
    expires_at: isoTime(entry.expiresAt),
    confirmed: pairing.grant !== undefined,
  }
}
