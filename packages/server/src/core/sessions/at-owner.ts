/**
 * What only the process that owns a session can do, asked of any process: each call of this table is made there, whole, and its
 * answer comes back. Where nobody owns the session, the process that was asked does it, and owns the session from then on.
 */
import { randomUUID } from 'node:crypto'
import { isRecord, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { ApprovalStore, Lease, LeaseOwner } from '../ports/coordination.ts'
import { type OwnerSignals, OwnerUnreachableError } from '../ports/owner-signals.ts'
import type { Services } from '../services.ts'

export interface AtOwnerParts {
  owner: LeaseOwner
  leases: Pick<Lease, 'running'>
  approvals: Pick<ApprovalStore, 'get'>
  signals: OwnerSignals
  /** Whether this process owns the session now. */
  owns(sessionId: string): boolean
}

/** An interrupt waits for a CLI up to ten seconds, and starts take their time on a busy machine. */
const deadlineMs = 30_000
/** A session changes hands in between at most so often. */
const tries = 3

interface OwnerCall {
  service: string
  method: string
  args: unknown[]
}

/** The session that a call is about; undefined: any process will do. */
type SessionOf = (...args: never[]) => string | undefined | Promise<string | undefined>
/** Services about sessions: what is not said of a method of theirs does not compile. */
type Whole = 'sessions' | 'approvals' | 'files' | 'changes'
type Routes = { [S in Whole]: Record<keyof Services[S], SessionOf | undefined> } & {
  [S in Exclude<keyof Services, Whole>]?: { [M in keyof Services[S]]?: SessionOf }
}

/** By what all servers share: its answer is the same everywhere. */
const anywhere = undefined
/** By what lies on the machine of the server that is asked: the CLI's transcripts, files of workspaces. */
const here = undefined

function routesOf(approvals: AtOwnerParts['approvals']): Routes {
  const byId: SessionOf = (_actor: unknown, id: string) => id
  return {
    sessions: {
      list: anywhere,
      get: anywhere,
      visible: anywhere,
      snapshot: anywhere,
      turns: anywhere,
      tasks: anywhere,
      // A new one is owned by who is asked for it.
      create: here,
      prepareNew: here,
      fork: here,
      history: here,
      search: here,
      export: here,
      toolOutput: here,
      toolOutputFile: here,
      toolPicture: here,
      messagePicture: here,
      change: byId,
      remove: byId,
      send: byId,
      editMessage: byId,
      withdrawMessage: byId,
      moveMessage: byId,
      steerMessage: byId,
      resendMessage: byId,
      settleMessage: byId,
      releaseQueue: byId,
      confirmFolder: byId,
      prepare: byId,
      start: byId,
      stop: byId,
      interrupt: byId,
      pause: byId,
      resume: byId,
      rewind: byId,
      taskOutput: byId,
      stopTask: byId,
      capabilities: byId,
      contextUsage: byId,
    },
    approvals: {
      list: anywhere,
      get: anywhere,
      answer: async (_actor: unknown, id: string) => (await approvals.get(id))?.session_id,
    },
    mcp: {
      ofSession: byId,
      switch: (_actor: unknown, body: { session_id?: string }) => body.session_id,
    },
    files: { ofSession: byId, ofWorkspace: here, folder: byId, read: byId, piece: byId },
    // Snapshots are where the session runs.
    changes: { list: byId, get: byId, revert: byId, restore: byId, git: byId, stage: byId, commit: byId },
  }
}

/** The services as every process offers them. `close` ends what others are answered. */
export async function atOwner(
  local: Services,
  parts: AtOwnerParts,
): Promise<{ services: Services; close(): void }> {
  const routes = routesOf(parts.approvals)
  const close = await parts.signals.serve(parts.owner, (request) => answer(local, parts, routes, request))
  const services = { ...local }
  for (const name of Object.keys(routes) as (keyof Services)[])
    Object.assign(services, { [name]: routed(local, parts, routes, name) })
  return { services, close }
}

function routed(local: Services, parts: AtOwnerParts, routes: Routes, service: keyof Services): object {
  const methods: Partial<Record<PropertyKey, SessionOf>> = routes[service] ?? {}
  return new Proxy<object>(local[service], {
    get(target, method) {
      const own: unknown = Reflect.get(target, method)
      if (typeof own !== 'function') return own
      const sessionOf = methods[method]
      if (!sessionOf) return own.bind(target)
      return async (...args: never[]) => {
        const sessionId = await sessionOf(...args)
        const call = { service, method: String(method), args: withKey(service, method, args) }
        return ask(parts, sessionId, call, () => own.apply(target, call.args))
      }
    },
  })
}

/** A message that was sent on and never answered is accepted here: by its key it is the same one, should both have taken it. */
function withKey(service: string, method: PropertyKey, args: readonly unknown[]): unknown[] {
  if (!isSend(service, method)) return [...args]
  const [actor, id, body, key = `sent-on:${randomUUID()}`] = args
  return [actor, id, body, key]
}

function isSend(service: string, method: PropertyKey): boolean {
  return service === 'sessions' && method === 'send'
}

async function ask(
  parts: AtOwnerParts,
  sessionId: string | undefined,
  call: OwnerCall,
  here: () => Promise<unknown>,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const owner = sessionId === undefined ? undefined : await ownerElsewhere(parts, sessionId)
    if (owner === undefined) return here()
    try {
      return await parts.signals.ask(owner, call, deadlineMs)
    } catch (error) {
      if (isMoved(error) && attempt < tries) continue
      // A message waits in the queue until the session has an owner that takes it.
      if (isSend(call.service, call.method) && isAbsent(error)) return here()
      if (!(error instanceof OwnerUnreachableError)) throw error
      throw new AppError('unavailable', say('session_owner_silent'), { cause: error })
    }
  }
}

/** The owner does not answer, is about to stop, or is always another. */
function isAbsent(error: unknown): boolean {
  const isStopping = error instanceof AppError && error.code === 'unavailable'
  return error instanceof OwnerUnreachableError || isStopping || isMoved(error)
}

async function ownerElsewhere(
  { owner, leases, owns }: AtOwnerParts,
  sessionId: string,
): Promise<LeaseOwner | undefined> {
  if (owns(sessionId)) return undefined
  const current = (await leases.running([sessionId])).get(sessionId)
  return current?.owner === owner ? undefined : current?.owner
}

/** Another process asks. What it asks for was checked there, for the actor that it names; nothing but the table's calls is made. */
async function answer(
  local: Services,
  parts: AtOwnerParts,
  routes: Routes,
  request: unknown,
): Promise<unknown> {
  const { service, method, args } = readCall(request)
  const sessionOf = entryOf(entryOf<Record<string, SessionOf | undefined>>(routes, service), method)
  if (!sessionOf) throw noSuchCall()
  const sessionId = await sessionOf(...(args as never[]))
  if (sessionId === undefined || !(await isOwnedHere(parts, sessionId))) throw moved()
  const target = local[service as keyof Services]
  return (Reflect.get(target, method) as (...args: unknown[]) => unknown).apply(target, args)
}

/** From the lease on, of which others know before the session is opened here. */
async function isOwnedHere({ owner, leases, owns }: AtOwnerParts, sessionId: string): Promise<boolean> {
  return owns(sessionId) || (await leases.running([sessionId])).get(sessionId)?.owner === owner
}

function readCall(request: unknown): OwnerCall {
  if (!isRecord(request)) throw noSuchCall()
  const { service, method, args } = request
  if (typeof service !== 'string' || typeof method !== 'string' || !Array.isArray(args)) throw noSuchCall()
  // JSON has no word for what was left out.
  return { service, method, args: args.map((arg: unknown) => arg ?? undefined) }
}

/** Nothing that every object has. */
function entryOf<T>(table: Record<string, T> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined
}

function noSuchCall(): AppError {
  return new AppError('invalid_request', say('owner_request_unknown'))
}

const movedDetails = { owner: 'moved' }

function moved(): AppError {
  return new AppError('conflict', say('session_moved'), { details: movedDetails })
}

function isMoved(error: unknown): boolean {
  return error instanceof AppError && (error.details as typeof movedDetails | undefined)?.owner === 'moved'
}
