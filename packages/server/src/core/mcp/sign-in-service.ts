/** People sign in to MCP servers, and out: the operations behind the API. */

import {
  beginSignIn,
  finishSignIn,
  hostOfSignIn,
  type ServerEntry,
  SignInError,
  type Supervisor,
} from '@dorkos/mcp-gateway'
import type { McpScope, McpSignInStep, ParsedBody } from '@dorkos/shared'
import { foldServerName, say } from '@dorkos/shared'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { McpSignIn } from '../ports/mcp-store.ts'

import type { Mcp } from './mcp.ts'
import { type BegunHere, OpenSignIns } from './open-sign-ins.ts'
import { redirectFault } from './redirect-uri.ts'
import { signInKeyOf } from './sign-in-key.ts'
import type { SignIns } from './sign-ins.ts'

/** A server that is in use in a workspace. */
export interface ServerInWorkspace {
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
  audit(actor: Actor, action: string, detail: Record<string, unknown>): Promise<void>
}

export class SignInService {
  readonly #parts: SignInServiceParts
  readonly #open: OpenSignIns

  constructor(parts: SignInServiceParts) {
    this.#parts = parts
    this.#open = new OpenSignIns(parts.clock)
  }

  async begin(
    actor: Actor,
    { entry, workspaceId }: ServerInWorkspace,
    body: ParsedBody<'beginMcpSignIn'>,
  ): Promise<McpSignInStep> {
    const { redirect_uri } = body
    const fault = redirectFault(redirect_uri, this.#parts.ownOrigins())
    if (fault !== undefined) throw new AppError('invalid_request', fault)
    const client = givenClient(body)
    const { signIns } = this.#parts
    const { name, launch } = entry
    if (launch.type === 'stdio' || !signIns.credentialsOf(entry)) throw noSignIn(name)
    const key = signInKeyOf(entry)
    const known = signIns.get(key)?.client
    const state = this.#open.newState()
    const begun = await beginSignIn({
      launch,
      redirectUri: redirect_uri,
      state,
      client,
      ...(known && !this.#open.isStuck(key, known.id) && { known }),
    }).catch(rethrow)
    if (begun.step === 'needs_client') return begun
    const { url, host, tokenHost, open } = begun
    const { principal } = actor
    const expiresAt = this.#open.add(state, { principal, name, workspaceId, key, open })
    return { step: 'open', url, host, token_host: tokenHost, expires_at: isoTime(expiresAt) }
  }

  /** What was begun here under that state, once. */
  take(actor: Actor, state: string): BegunHere {
    return this.#open.take(state, actor.principal)
  }

  /** The server's connections are made anew when this resolves. */
  async finish(
    actor: Actor,
    begun: BegunHere,
    { entry, scope, workspaceId }: ServerInWorkspace,
    body: ParsedBody<'finishMcpSignIn'>,
  ): Promise<void> {
    const { signIns, clock } = this.#parts
    const { key, open } = begun
    if (signInKeyOf(entry) !== key)
      throw new AppError('conflict', say('sign_in_other_server', { name: begun.name }))
    const { code, iss, error, error_description } = body
    const returned = { code, iss, error, errorDescription: error_description }
    const signIn = await finishSignIn(open, returned, clock.now()).catch(rethrow)
    const at = isoTime(clock.now())
    const { client } = signIn
    const audience = entry.audience === undefined ? {} : { audience: entry.audience }
    await signIns.keep({
      key,
      server: entry.name,
      scope,
      ...audience,
      client,
      signIn,
      by: actor.principal,
      at,
    })
    await this.#audit(actor, 'mcp_signed_in', entry.name, hostOfSignIn(signIn), workspaceId)
    await this.#reconnect(key)
  }

  /** Out of what is in use under this name in a workspace, or was. False when nobody was signed in. */
  async endHere(
    actor: Actor,
    name: string,
    entry: ServerEntry | undefined,
    workspaceId: string | undefined,
  ): Promise<boolean> {
    const isHere = ({ key, audience }: McpSignIn) =>
      entry ? key === signInKeyOf(entry) : (audience ?? workspaceId) === workspaceId
    return this.endUnused(actor, name, isHere, workspaceId)
  }

  /**
   * Out of what no entry of this name has any more (its address was changed, or it was taken out by hand), and of what is given up.
   * False when nobody was signed in.
   */
  async endUnused(
    actor: Actor,
    name: string,
    isGivenUp: (one: McpSignIn) => boolean = () => false,
    workspaceId?: string | undefined,
  ): Promise<boolean> {
    const { mcp, signIns } = this.#parts
    const kept = signIns.all().filter(({ server }) => foldServerName(server) === foldServerName(name))
    if (kept.length === 0) return false
    const used = new Set((await mcp.entriesEverywhere()).map(signInKeyOf))
    const ended = kept.filter((one) => isGivenUp(one) || !used.has(one.key))
    const faults: unknown[] = []
    for (const { key } of ended) {
      const { host, fault } = await signIns.signOut(key)
      await this.#reconnect(key)
      if (fault !== undefined) faults.push(fault)
      else if (host !== undefined) await this.#audit(actor, 'mcp_signed_out', name, host, workspaceId)
    }
    if (faults.length > 0) throw notDeleted(name, faults[0])
    return ended.length > 0
  }

  /** Whoever is connected is so by what was valid before. */
  async #reconnect(key: string): Promise<void> {
    const { mcp, supervisor } = this.#parts
    const running = mcp
      .supervisorKeys((entry) => signInKeyOf(entry) === key)
      .filter((one) => {
        const state = supervisor.get(one)?.state
        return state !== undefined && state !== 'stopped'
      })
    await Promise.all(running.map((one) => supervisor.reconnect(one)))
  }

  #audit(
    actor: Actor,
    action: string,
    server: string,
    host: string,
    workspaceId: string | undefined,
  ): Promise<void> {
    const where = workspaceId === undefined ? {} : { workspace_id: workspaceId }
    return this.#parts.audit(actor, action, { server, host, ...where })
  }
}

function givenClient({ client_id: id, client_secret: secret, issuer }: ParsedBody<'beginMcpSignIn'>) {
  if (id === undefined) return undefined
  if (issuer === undefined) throw new AppError('invalid_request', say('sign_in_issuer_missing'))
  return { id, issuer, ...(secret !== undefined && { secret }) }
}

function notDeleted(name: string, fault: unknown): AppError {
  return new AppError(
    fault instanceof AppError ? fault.code : 'internal',
    say('sign_out_incomplete', { name }),
    { cause: fault },
  )
}

function noSignIn(name: string): AppError {
  return new AppError('conflict', say('sign_in_impossible', { name }))
}

function rethrow(error: unknown): never {
  if (error instanceof SignInError)
    throw new AppError('conflict', say('sign_in_words', { text: error.message }))
  throw error
}
