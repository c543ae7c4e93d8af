/** People sign in to MCP servers, and out: the operations behind the API. */
import {
  beginSignIn,
  finishSignIn,
  hostOfSignIn,
  type ServerEntry,
  SignInError,
  type Supervisor,
} from '@dorkos/mcp-gateway'
import type { McpSignInStep, ParsedBody } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { Caller } from '../services.ts'
import type { McpScope } from './found-server.ts'
import type { Mcp } from './mcp.ts'
import { type BegunHere, OpenSignIns } from './open-sign-ins.ts'
import { pinKeyOf } from './pin-key.ts'
import { redirectFault } from './redirect-uri.ts'
import type { SignIns } from './sign-ins.ts'

/** A server that is in use at a place. */
export interface ServerAtPlace {
  entry: ServerEntry
  scope: McpScope
  workspaceId: string | undefined
}

export interface SignInServiceParts {
  mcp: Mcp
  supervisor: Supervisor
  signIns: SignIns
  clock: Clock
  /** Origins of this server's own pages. */
  ownOrigins(): readonly string[]
  audit(caller: Caller, action: string, detail: Record<string, unknown>): Promise<void>
}

export class SignInService {
  readonly #parts: SignInServiceParts
  readonly #open: OpenSignIns

  constructor(parts: SignInServiceParts) {
    this.#parts = parts
    this.#open = new OpenSignIns(parts.clock)
  }

  async begin(
    caller: Caller,
    { entry, workspaceId }: ServerAtPlace,
    body: ParsedBody<'beginMcpSignIn'>,
  ): Promise<McpSignInStep> {
    const { redirect_uri, client_id, client_secret } = body
    const fault = redirectFault(redirect_uri, this.#parts.ownOrigins())
    if (fault !== undefined) throw new AppError('invalid_request', fault)
    const { signIns } = this.#parts
    const { name, launch } = entry
    if (launch.type === 'stdio' || !signIns.credentialsOf(entry)) throw noSignIn(name)
    const key = pinKeyOf(entry)
    const known = signIns.get(key)?.client
    const state = this.#open.newState()
    const begun = await beginSignIn({
      launch,
      redirectUri: redirect_uri,
      state,
      ...(client_id !== undefined && {
        client: { id: client_id, ...(client_secret !== undefined && { secret: client_secret }) },
      }),
      ...(known && !this.#open.isStuck(key, known.id) && { known }),
    }).catch(told)
    if (begun.step === 'needs_client') return begun
    const { url, host, open } = begun
    const { principal } = caller
    const expiresAt = this.#open.add(state, { principal, name, workspaceId, key, open })
    return { step: 'open', url, host, expires_at: isoTime(expiresAt) }
  }

  /** What was begun here under that state, once. */
  take(caller: Caller, state: string): BegunHere {
    return this.#open.take(state, caller.principal)
  }

  /** The server's connections are made anew when this resolves. */
  async finish(
    caller: Caller,
    begun: BegunHere,
    { entry, scope, workspaceId }: ServerAtPlace,
    body: ParsedBody<'finishMcpSignIn'>,
  ): Promise<void> {
    const { signIns, clock } = this.#parts
    const { key, open } = begun
    if (pinKeyOf(entry) !== key)
      throw new AppError('conflict', `${begun.name} is not the server that was signed in to. Begin again.`)
    const { code, iss, error, error_description } = body
    const returned = { code, iss, error, errorDescription: error_description }
    const signIn = await finishSignIn(open, returned, clock.now()).catch(told)
    const at = isoTime(clock.now())
    const { client } = signIn
    await signIns.keep({ key, server: entry.name, scope, client, signIn, by: caller.principal, at })
    await this.#audit(caller, 'mcp_signed_in', entry.name, hostOfSignIn(signIn), workspaceId)
    await this.#reconnect(key)
  }

  /** Out of every server of these keys. False when nobody was signed in. */
  async end(
    caller: Caller,
    name: string,
    keys: readonly string[],
    workspaceId?: string | undefined,
  ): Promise<boolean> {
    const { signIns } = this.#parts
    const kept = keys.filter((key) => signIns.get(key))
    for (const key of kept) {
      const host = await signIns.signOut(key)
      if (host !== undefined) await this.#audit(caller, 'mcp_signed_out', name, host, workspaceId)
      await this.#reconnect(key)
    }
    return kept.length > 0
  }

  /** Whoever is connected is so by what was valid before. */
  async #reconnect(key: string): Promise<void> {
    const { mcp, supervisor } = this.#parts
    const running = mcp.supervisorKeys(key).filter((one) => {
      const state = supervisor.get(one)?.state
      return state !== undefined && state !== 'stopped'
    })
    await Promise.all(running.map((one) => supervisor.reconnect(one)))
  }

  #audit(
    caller: Caller,
    action: string,
    server: string,
    host: string,
    workspaceId: string | undefined,
  ): Promise<void> {
    const place = workspaceId === undefined ? {} : { workspace_id: workspaceId }
    return this.#parts.audit(caller, action, { server, host, ...place })
  }
}

function noSignIn(name: string): AppError {
  return new AppError(
    'conflict',
    `Nobody can sign in to ${name}: that takes a server behind https whose entry has no Authorization header.`,
  )
}

function told(error: unknown): never {
  if (error instanceof SignInError) throw new AppError('conflict', error.message)
  throw error
}
