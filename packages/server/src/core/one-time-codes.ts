/**
 * One-time codes that are exchanged for a token, at whichever server. They are stored as hashes, for ten minutes, and work once. A
 * link code is long and travels in the fragment of a link; a typed one is short enough for a person's fingers, so guesses at it are
 * limited over all sources together, by each server for itself. A given code was chosen by the owner, and is as long as a link's.
 */
import { randomBytes } from 'node:crypto'
import { type Scope, say } from '@dorkos/shared'
import { AppError } from './app-error.ts'
import type { Clock } from './ports/clock.ts'
import type { ShortLived } from './ports/coordination.ts'
import { GuessLimit, normalTypedCode, randomTypedCode, shownTypedCode } from './typed-code.ts'
import { sha256 } from './verified-tokens.ts'

export interface CodeGrant {
  scopes: Scope[]
  principal: string
  /** The token that made the code; absent when the server itself did. */
  madeBy?: string
  /** When that token ends: what the code gives ends then too. */
  makerExpiresAt?: number
  /** It lies where programs of the owner's account can read it: good only while no agent has used a tool. */
  beforeAgents?: true
}

const kind = 'sign-in code'
const lifetimeMs = 10 * 60_000
const most = { ofKind: 100, ofSource: 100 }
/** Nobody needs many at once who asks for them one by one. */
const mostOfTerminals = { ofKind: 100, ofSource: 5 }
const givenLifetimeMs = 60 * 60_000

export class OneTimeCodes {
  readonly #store: ShortLived
  readonly #clock: Clock
  readonly #guesses: GuessLimit

  constructor(store: ShortLived, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#guesses = new GuessLimit(clock)
  }

  async create(
    grant: CodeGrant,
    form: 'link' | 'typed',
    askedBy: 'server' | 'terminal' = 'server',
  ): Promise<{ code: string; expiresAt: number }> {
    const plain = form === 'link' ? randomBytes(16).toString('base64url') : randomTypedCode()
    const expiresAt = this.#clock.now() + lifetimeMs
    const [id, source, value] = [hashOf(plain), grant.madeBy ?? askedBy, JSON.stringify(grant)]
    const limits = askedBy === 'terminal' ? mostOfTerminals : most
    if (!(await this.#store.put({ kind, id, source, value, expiresAt }, limits)))
      throw new AppError('rate_limited', say('codes_unused'))
    return { code: form === 'link' ? plain : shownTypedCode(plain), expiresAt }
  }

  /** Makes a code of the owner's good, for an hour. The caller sees to it that each is given once. */
  async accept(code: string, grant: CodeGrant): Promise<{ expiresAt: number }> {
    const expiresAt = this.#clock.now() + givenLifetimeMs
    const entry = { kind, id: hashOf(code), source: 'given', value: JSON.stringify(grant), expiresAt }
    if (!(await this.#store.put(entry, most))) throw new AppError('rate_limited', say('codes_unused'))
    return { expiresAt }
  }

  /** The grant behind a code, which is used up by this. Throws `gone`, or `rate_limited` after too many guesses. */
  async redeem(text: string): Promise<CodeGrant> {
    const typed = normalTypedCode(text)
    // A guess counts before it is looked up: many at once are as many.
    const isRight = typed === undefined ? () => {} : this.#guesses.guess()
    const found = await this.#store.take(kind, hashOf(typed ?? text))
    if (!found) throw goneCode()
    isRight()
    return JSON.parse(found.value) as CodeGrant
  }

  /** Takes back what a token made, when it is revoked. */
  async dropMadeBy(tokenId: string): Promise<void> {
    for (const { id, source } of await this.#store.list(kind))
      if (source === tokenId) await this.#store.take(kind, id)
  }
}

const hashOf = (code: string) => sha256(code).toString('hex')

export function goneCode(): AppError {
  return new AppError('gone', say('code_gone'))
}
