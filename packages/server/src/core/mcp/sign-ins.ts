/** People's sign-ins to MCP servers: kept, handed to connections as credentials, renewed when they run out. Nobody else sees the tokens. */
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
import type { Clock } from '../ports/clock.ts'
import type { McpSignIn, McpStore } from '../ports/mcp-store.ts'
import type { McpScope } from './found-server.ts'
import { pinKeyOf } from './pin-key.ts'
import { foldServerName } from './server-name.ts'

export interface SignInParts {
  store: Pick<McpStore, 'signIns' | 'setSignIn' | 'removeSignIn'>
  clock: Clock
  logger: Logger
  /** Who is signed in where is different now. */
  onChange(): void
}

/** Old tokens may still be told by a server that was slow. */
const mostSecrets = 20
const revokeMs = 5000
const mostScopesShown = 50

export class SignIns {
  readonly #parts: SignInParts
  /** By what pins go by: the name and the address. */
  readonly #kept = new Map<string, McpSignIn>()
  readonly #renewing = new Map<string, Promise<void>>()
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

  /** Keys of what was signed in to under this name; of entries in files of this scope only, if given. */
  keysOf(name: string, scope?: McpScope): string[] {
    return [...this.#kept.values()].flatMap((one) =>
      foldServerName(one.server) === foldServerName(name) && (scope ?? one.scope) === one.scope
        ? [one.key]
        : [],
    )
  }

  async keep(one: McpSignIn): Promise<void> {
    await this.#parts.store.setSignIn(one)
    this.#put(one)
    this.#parts.onChange()
  }

  /** At once, and at the authorization server as far as it takes that. The host, where somebody was signed in. */
  async signOut(key: string): Promise<string | undefined> {
    const signIn = this.#kept.get(key)?.signIn
    await this.#forget(key)
    if (!signIn) return undefined
    await this.#revoke(signIn)
    return hostOfSignIn(signIn)
  }

  /** Undefined where nobody can sign in. */
  credentialsOf(entry: ServerEntry): UpstreamCredentials | undefined {
    if (!canSignIn(entry.launch)) return undefined
    const key = pinKeyOf(entry)
    const token = () => this.#kept.get(key)?.signIn?.accessToken
    return {
      token: async () => {
        const { expiresAt } = this.#kept.get(key)?.signIn ?? {}
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
    const kept = this.#kept.get(pinKeyOf(entry))
    if (!kept?.signIn) return { can_sign_in: true }
    const scopes = kept.signIn.scope?.split(' ').filter((scope) => scope !== '') ?? []
    return {
      can_sign_in: true,
      signed_in: {
        at: kept.at,
        by: kept.by,
        host: hostOfSignIn(kept.signIn),
        ...(scopes.length > 0 && { scopes: scopes.slice(0, mostScopesShown) }),
      },
    }
  }

  /** One at a time: a refresh token works once. */
  #renew(key: string): Promise<void> {
    const underWay = this.#renewing.get(key)
    if (underWay) return underWay
    const work = this.#renewNow(key).finally(() => this.#renewing.delete(key))
    this.#renewing.set(key, work)
    return work
  }

  async #renewNow(key: string): Promise<void> {
    const before = this.#kept.get(key)
    if (!before?.signIn) return
    const { clock, logger, store } = this.#parts
    try {
      const signIn = await renewSignIn(before.signIn, clock.now())
      // Signed out, or signed in anew, in the meantime.
      if (this.#kept.get(key) !== before) return void this.#revoke(signIn)
      const after = { ...before, signIn }
      this.#put(after)
      // The old one is used up: what cannot be stored now works at least until the next start.
      await store.setSignIn(after).catch((error: unknown) => {
        logger.error({ err: error, server: before.server }, 'a renewed sign-in could not be stored')
      })
    } catch (error) {
      if (!(error instanceof SignInError) || (error.kind !== 'grant' && error.kind !== 'client')) throw error
      if (this.#kept.get(key) !== before) return
      logger.warn({ server: before.server, error: error.message }, 'a sign-in to an MCP server is over')
      if (error.kind === 'client') return this.#forget(key)
      const { signIn, ...rest } = before
      await this.keep(rest)
    }
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

  async #forget(key: string): Promise<void> {
    if (!this.#kept.delete(key)) return
    await this.#parts.store.removeSignIn(key)
    this.#parts.onChange()
  }

  async #revoke(signIn: SignIn): Promise<void> {
    const isDone = await revokeSignIn(signIn, { timeoutMs: revokeMs })
    if (!isDone)
      this.#parts.logger.info({ host: hostOfSignIn(signIn) }, 'tokens were forgotten, but not revoked')
  }
}
