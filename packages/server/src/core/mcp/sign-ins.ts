/** People's sign-ins to MCP servers: kept, renewed, given to connections to use. Nobody else sees the tokens. */
import { isDeepStrictEqual } from 'node:util'
import {
  canSignIn,
  hostOfSignIn,
  renewSignIn,
  revokeSignIn,
  type ServerEntry,
  type SignIn,
  SignInError,
  type UpstreamCredentials,
} from '@dorkos/mcp-gateway'
import type { McpServer } from '@dorkos/shared'
import type { Logger } from '../logger.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import type { Clock } from '../ports/clock.ts'
import type { ShortLived } from '../ports/coordination.ts'
import type { McpSignIn, McpStore } from '../ports/mcp-store.ts'
import { signInKeyOf } from './sign-in-key.ts'

export interface SignInParts {
  store: Pick<McpStore, 'signIns' | 'setSignIn' | 'removeSignIn'>
  /** Of all servers that share the store. */
  shortLived: Pick<ShortLived, 'put' | 'take'>
  clock: Clock
  logger: Logger
  /** Who is signed in where is different now. */
  onChange(): void
}

/** Old tokens may still be repeated by a server that was slow. */
const mostSecrets = 20
const revokeMs = 5000
/** Twice what an authorization server has for its answer. */
const renewalMs = 30_000
const mostScopesShown = 50

type SignedIn = NonNullable<McpServer['signed_in']>

/** `unremoved`: signed out, and the tokens are not used any more, but the store still has them. */
type Kept = McpSignIn & { unremoved?: SignedIn }

export class SignIns {
  readonly #parts: SignInParts
  /** By `signInKeyOf`. */
  readonly #kept = new Map<string, Kept>()
  /** What is stored and what is in memory change together, so that neither is older than the other. */
  readonly #queue = new KeyQueue()
  readonly #renewing = new Map<string, Promise<void>>()
  /** Renewed, and could not be stored: what is stored is used up. */
  readonly #unstored = new Set<string>()
  readonly #secrets = new Map<string, Set<string>>()

  static async open(parts: SignInParts): Promise<SignIns> {
    const signIns = new SignIns(parts)
    for (const one of await parts.store.signIns()) signIns.#put(one)
    return signIns
  }

  private constructor(parts: SignInParts) {
    this.#parts = parts
  }

  get(key: string): McpSignIn | undefined {
    return this.#kept.get(key)
  }

  all(): McpSignIn[] {
    return [...this.#kept.values()]
  }

  /** Another process may have signed in or out, or renewed a sign-in: what is stored counts. */
  async reread(): Promise<void> {
    const stored = new Map((await this.#parts.store.signIns()).map((one) => [one.key, one]))
    // Checked once more where this process changes it, so that its own change is not undone.
    for (const key of new Set([...stored.keys(), ...this.#kept.keys()]))
      if (!this.#isAsStored(key, stored.get(key))) await this.#queue.take(key, () => this.#rereadOne(key))
  }

  /** To be called where nothing else changes it. Whether it is different now. */
  async #rereadOne(key: string): Promise<boolean> {
    const one = (await this.#parts.store.signIns()).find((each) => each.key === key)
    if (this.#isAsStored(key, one)) return false
    if (one) this.#put(one)
    else this.#kept.delete(key)
    this.#parts.onChange()
    return true
  }

  #isAsStored(key: string, stored: McpSignIn | undefined): boolean {
    const kept = this.#kept.get(key)
    // Its own tokens are forgotten here already, and stay so.
    return kept?.unremoved !== undefined || isDeepStrictEqual(kept, stored)
  }

  /** The workspace is gone, and with it whoever could use what was granted for it. */
  async forgetWorkspace(id: string): Promise<void> {
    for (const one of this.all()) if (one.audience === id) await this.signOut(one.key)
  }

  /** What it replaces is revoked, unless who granted both could take that for both. */
  keep(one: McpSignIn): Promise<void> {
    return this.#queue.take(one.key, async () => {
      const replaced = this.#kept.get(one.key)?.signIn
      await this.#parts.store.setSignIn(one)
      this.#unstored.delete(one.key)
      this.#put(one)
      this.#parts.onChange()
      if (replaced && !isOfOneGrant(replaced, one.signIn)) void this.#revoke(replaced)
    })
  }

  /**
   * At once, and at the authorization server as far as it takes that. `host`: where somebody was signed in. `fault`:
   * why the tokens could not be deleted; they are not used any more, and this can be done again.
   */
  signOut(key: string): Promise<{ host?: string; fault?: unknown }> {
    return this.#queue.take(key, async () => {
      const { signIn, unremoved, ...rest } = this.#kept.get(key) ?? {}
      const signedIn = unremoved ?? this.#signedIn(key)
      if (!('key' in rest)) return {}
      this.#kept.set(key, { ...rest, ...(signedIn && { unremoved: signedIn }) })
      const revoking = signIn && this.#revoke(signIn)
      const host = signedIn && { host: signedIn.host }
      try {
        await this.#remove(key)
        return { ...host }
      } catch (fault) {
        this.#parts.logger.error({ err: fault, server: rest.server }, 'tokens could not be deleted')
        this.#parts.onChange()
        return { ...host, fault }
      } finally {
        await revoking
      }
    })
  }

  /** Undefined where nobody can sign in. */
  credentialsOf(entry: ServerEntry): UpstreamCredentials | undefined {
    const { launch } = entry
    if (launch.type === 'stdio' || !canSignIn(launch)) return undefined
    const key = signInKeyOf(entry)
    const current = () => {
      const signIn = this.#kept.get(key)?.signIn
      return signIn && isSameAddress(signIn.serverUrl, launch.url) ? signIn : undefined
    }
    const token = () => current()?.accessToken
    return {
      token: async () => {
        const { expiresAt } = current() ?? {}
        // What comes of it shows when the server is asked.
        if (expiresAt !== undefined && expiresAt <= this.#parts.clock.now())
          await this.#renew(key).catch(() => {})
        return token()
      },
      renew: async (refused) => {
        if (token() !== undefined && token() === refused) await this.#renew(key)
        return token() !== undefined && token() !== refused
      },
      secrets: () => [...(this.#secrets.get(key) ?? [])],
    }
  }

  /** For people. */
  view(entry: ServerEntry): Pick<McpServer, 'can_sign_in' | 'signed_in'> {
    if (!canSignIn(entry.launch)) return {}
    const key = signInKeyOf(entry)
    const signedIn = this.#kept.get(key)?.unremoved ?? this.#signedIn(key)
    return { can_sign_in: true, ...(signedIn && { signed_in: signedIn }) }
  }

  #signedIn(key: string): SignedIn | undefined {
    const kept = this.#kept.get(key)
    if (!kept?.signIn) return undefined
    const scopes = kept.signIn.scope?.split(' ').filter((scope) => scope !== '') ?? []
    return {
      at: kept.at,
      by: kept.by,
      host: hostOfSignIn(kept.signIn),
      ...(scopes.length > 0 && { scopes: scopes.slice(0, mostScopesShown) }),
    }
  }

  /** One at a time among all servers: a refresh token works once, and its second use may be taken for a theft. */
  #renew(key: string): Promise<void> {
    const underWay = this.#renewing.get(key)
    if (underWay) return underWay
    const lock = { kind: 'MCP sign-in renewal', thing: key, forMs: renewalMs }
    const work = oneAtATime(this.#parts, lock, () => this.#renewNow(key)).finally(() =>
      this.#renewing.delete(key),
    )
    this.#renewing.set(key, work)
    return work
  }

  async #renewNow(key: string): Promise<void> {
    // Another server may have renewed it, or signed out.
    const isOther = !this.#unstored.has(key) && (await this.#queue.take(key, () => this.#rereadOne(key)))
    if (isOther) return
    const before = this.#kept.get(key)
    if (!before?.signIn) return
    try {
      const signIn = await renewSignIn(before.signIn, this.#parts.clock.now())
      await this.#queue.take(key, () => this.#renewed(before, signIn))
    } catch (error) {
      if (!(error instanceof SignInError) || (error.kind !== 'grant' && error.kind !== 'client')) throw error
      await this.#queue.take(key, () => this.#refused(before, error))
    }
  }

  async #renewed(before: Kept, signIn: SignIn): Promise<void> {
    const { logger, store, onChange } = this.#parts
    const { key } = before
    const now = this.#kept.get(key)
    if (now !== before) {
      // Signed out in the meantime, or signed in anew: that may be of the same grant, which must not end.
      if (!isOfOneGrant(signIn, now?.signIn)) void this.#revoke(signIn)
      return
    }
    const after = { ...before, signIn }
    this.#put(after)
    this.#unstored.delete(key)
    // The old one is used up: what cannot be stored now works at least until the next start.
    await store.setSignIn(after).catch((error: unknown) => {
      this.#unstored.add(key)
      logger.error({ err: error, server: before.server }, 'a renewed sign-in could not be stored')
    })
    onChange()
  }

  /** What is refused is of no use to anybody. Who we are there stays known, unless it is that which was refused. */
  async #refused(before: Kept, { kind, message }: SignInError): Promise<void> {
    const { key, server } = before
    const { logger, store, onChange } = this.#parts
    // A refresh token works once: another process may have used it, and stored what it got.
    if (this.#kept.get(key) !== before || (await this.#rereadOne(key))) return
    logger.warn({ server, error: message }, 'a sign-in to an MCP server is over')
    if (kind === 'client') return this.#remove(key)
    const { signIn, ...rest } = before
    this.#put(rest)
    onChange()
    await store.setSignIn(rest)
  }

  #put(one: McpSignIn): void {
    this.#kept.set(one.key, one)
    const secrets = this.#secrets.get(one.key) ?? new Set()
    const { accessToken, refreshToken } = one.signIn ?? {}
    for (const secret of [accessToken, refreshToken, one.client.secret]) {
      if (secret === undefined) continue
      secrets.delete(secret)
      secrets.add(secret)
    }
    this.#secrets.set(one.key, new Set([...secrets].slice(-mostSecrets)))
  }

  async #remove(key: string): Promise<void> {
    await this.#parts.store.removeSignIn(key)
    this.#unstored.delete(key)
    this.#kept.delete(key)
    this.#parts.onChange()
  }

  async #revoke(signIn: SignIn): Promise<void> {
    const isDone = await revokeSignIn(signIn, { timeoutMs: revokeMs })
    if (!isDone)
      this.#parts.logger.info({ host: hostOfSignIn(signIn) }, 'tokens were forgotten, but not revoked')
  }
}

/** Whoever revokes one of them may have ended the other. */
function isOfOneGrant(one: SignIn, other: SignIn | undefined): boolean {
  return one.client.issuer === other?.client.issuer && one.client.id === other.client.id
}

function isSameAddress(one: string, other: string): boolean {
  const [{ origin, pathname }, there] = [new URL(one), new URL(other)]
  return origin === there.origin && pathname === there.pathname
}

/** Work on one thing at a time, in the order in which it came. */
class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = (before ?? Promise.resolve()).then(work, work)
    this.#last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
