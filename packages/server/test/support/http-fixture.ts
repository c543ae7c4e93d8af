/** The HTTP layer on a real socket, over services that only record what is asked of them, and a real hub and event log. */
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Endpoint,
  type NewEvent,
  type Scope,
  type ServerEvent,
  type StreamEvent,
  say,
} from '@dorkos/shared'
import { createMemoryCoordination } from '../../src/adapters/memory/memory-coordination.ts'
import { createMemoryEventBus } from '../../src/adapters/memory/memory-event-bus.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { type Actor, ownerPrincipal, tokenOf } from '../../src/core/actor.ts'
import { AppError } from '../../src/core/app-error.ts'
import { createEventHub } from '../../src/core/events/event-hub.ts'
import type { Logger } from '../../src/core/logger.ts'
import type { EventLog } from '../../src/core/ports/coordination.ts'
import type { EventBus } from '../../src/core/ports/event-bus.ts'
import type { Services } from '../../src/core/services.ts'
import { type App, type AppOptions, createApp } from '../../src/http/app.ts'
import { listen } from '../../src/http/listen.ts'
import { ownHosts } from '../../src/http/own-names.ts'
import { answers, messageId, pairing, session, sessionId, time } from './http-samples.ts'

export interface HttpFixture {
  app: App
  url: string
  host: string
  port: number
  /** Every call of a service but those of authentication and the hub, as `service.method`. */
  calls: { name: string; args: unknown[] }[]
  /** Called after each read of a session, before its rows are handed on: what happens here is not in them. */
  afterRead: (() => Promise<void>) | undefined
  /** Called while the server's state is read; what it says includes how often it was (`reads`). */
  onServerSnapshot: (() => Promise<void>) | undefined
  /** Replaces what a method does. */
  stub(name: string, method: (...args: never[]) => unknown): void
  log: { level: string; fields: object; message: string }[]
  events: EventLog
  /** Appends to the log, then publishes. */
  publish(event: NewEvent, session?: string): Promise<StreamEvent>
  /** Appends to the log; it is not published yet. */
  append(event: NewEvent, session?: string): Promise<() => StreamEvent>
  publishServer(event: ServerEvent): void
  /** A new owner of the session: the epoch grows. */
  takeOver(session?: string): Promise<void>
  revoke(secret: string): void
  close(): Promise<void>
}

export const allScopes: Scope[] = ['read', 'chat', 'approve', 'admin']

/** The bearer secret of a token with these scopes. */
export function secretOf(...scopes: Scope[]): string {
  return `secret-${scopes.join('+')}`
}

function tokenIdOf(secret: string): string {
  return `tok_${secret.replace(/[^a-z]/g, '').padEnd(8, '0')}`
}

export async function startHttp(
  options: Partial<AppOptions> = {},
  bus: EventBus = createMemoryEventBus(),
): Promise<HttpFixture> {
  const calls: HttpFixture['calls'] = []
  const stubs = new Map<string, (...args: never[]) => unknown>()
  const log: HttpFixture['log'] = []
  const coordination = createMemoryCoordination(systemClock)
  const revokedListeners = new Set<(tokenId: string) => void>()
  const revoked = new Set<string>()
  let stateReads = 0
  const hub = createEventHub(bus, async () => {
    const reads = ++stateReads
    await fixture.onServerSnapshot?.()
    return { approvals: [], sessions: [session], reads }
  })
  const newest = new Map<string, string>()
  const services = {
    ...fakeServices(calls, stubs, newest),
    auth: fakeAuth(calls, stubs, revoked, revokedListeners),
    hub,
  } as unknown as Services
  const epochs = new Map<string, { epoch: number; seq: number }>()
  let hosts: string[] = []
  const app = createApp(services, {
    events: slowReads(coordination.events, () => fixture.afterRead?.()),
    clock: systemClock,
    logger: recordingLogger(log),
    version: '0.0.0-test',
    allowedHosts: () => hosts,
    validateResponses: true,
    mostStreams: () => ({ maxStreams: 100, maxStreamsPerToken: 32 }),
    ...options,
  })
  const listening = await listen(app.listener, { host: '127.0.0.1', port: 0 })
  hosts = ownHosts({
    host: '127.0.0.1',
    port: listening.port,
    tls: false,
    publicOrigins: options.publicOrigins ?? [],
  })

  async function takeOver(id = sessionId): Promise<void> {
    const grant = await coordination.leases.acquire(id, `node/${Math.random()}`, 0, 'test')
    if (!grant) throw new Error('the lease is held')
    epochs.set(id, { epoch: grant.epoch, seq: 1 })
    newest.set(id, `${grant.epoch}-1`)
    bus.publish(await coordination.events.readSession(id, { epoch: grant.epoch, seq: 0 }, 1))
  }

  async function append(event: NewEvent, id = sessionId): Promise<() => StreamEvent> {
    if (!epochs.has(id)) await takeOver(id)
    const place = epochs.get(id)
    if (!place) throw new Error('no epoch')
    const firstSeq = ++place.seq
    const [result] = await coordination.events.append([
      { sessionId: id, epoch: place.epoch, firstSeq, events: [{ time, event }] },
    ])
    if (result?.status !== 'fulfilled' || !result.value[0]) throw new Error('not appended')
    const [stored] = result.value
    newest.set(id, stored.id)
    return () => {
      bus.publish([stored])
      return stored
    }
  }

  const fixture: HttpFixture = {
    app,
    afterRead: undefined,
    onServerSnapshot: undefined,
    url: `http://127.0.0.1:${listening.port}`,
    host: `127.0.0.1:${listening.port}`,
    port: listening.port,
    calls,
    stub: (name, method) => stubs.set(name, method),
    log,
    events: coordination.events,
    append,
    publish: async (event, id) => (await append(event, id))(),
    publishServer: (event) => bus.publishServer(event, null),
    takeOver,
    revoke(secret) {
      revoked.add(secret)
      for (const listener of revokedListeners) listener(tokenIdOf(secret))
    },
    async close() {
      app.closeStreams()
      await listening.close(0)
    },
  }
  return fixture
}

/** A log whose rows arrive some turns after they were read, as from a worker. */
function slowReads(events: EventLog, afterRead: () => Promise<void> | undefined): EventLog {
  return {
    ...events,
    async readSession(...args) {
      const rows = await events.readSession(...args)
      await nextTurn()
      await afterRead()
      return rows
    },
  }
}

function fakeServices(
  calls: HttpFixture['calls'],
  stubs: Map<string, (...args: never[]) => unknown>,
  newest: Map<string, string>,
): Record<string, unknown> {
  const standard: Record<string, (...args: never[]) => unknown> = {
    'sessions.visible': async (_actor: Actor, ids: string[]) => new Set(ids),
    'sessions.snapshot': async (_actor: Actor, id: string) => ({
      session: { ...session, id },
      ...(newest.has(id) ? { at: newest.get(id) } : {}),
      mcp_servers: [],
      todos: [],
      approvals: [],
      queue: [],
      turn: [],
    }),
    'sessions.export': served('text/markdown; charset=utf-8'),
    'sessions.toolOutputFile': served('text/plain; charset=utf-8'),
    'sessions.toolPicture': served('image/png'),
    'sessions.messagePicture': served('image/png'),
  }
  const names = [
    'sessions',
    'drafts',
    'profiles',
    'approvals',
    'rules',
    'audit',
    'costs',
    'workspaces',
    'hooks',
    'commands',
    'files',
    'changes',
    'config',
    'mcp',
    'status',
  ]
  return Object.fromEntries(
    names.map((service) => [
      service,
      new Proxy(
        {},
        {
          get: (_target, method) => {
            const name = `${service}.${String(method)}`
            return (...args: never[]) => {
              calls.push({ name, args })
              const answer = stubs.get(name) ?? standard[name]
              return answer ? answer(...args) : structuredClone(answers[name])
            }
          },
        },
      ),
    ]),
  )
}

/** Knows tokens of the form `secret-<scopes>`; every other is nobody's. */
function fakeAuth(
  calls: HttpFixture['calls'],
  stubs: Map<string, (...args: never[]) => unknown>,
  revoked: Set<string>,
  listeners: Set<(tokenId: string) => void>,
): Record<string, unknown> {
  const record =
    (name: string, answer: (...args: never[]) => unknown) =>
    async (...args: never[]) => {
      calls.push({ name: `auth.${name}`, args })
      return (stubs.get(`auth.${name}`) ?? answer)(...args)
    }
  const token = (id: string) => ({
    id: 'tok_00000001',
    name: id,
    scopes: ['read'],
    principal: 'owner',
    kind: 'api',
    created_at: time,
  })
  return {
    async authenticate(secret: string, from: string): Promise<Actor | undefined> {
      const match = /^secret-([a-z+]*)$/.exec(secret)
      if (!match || revoked.has(secret)) return undefined
      const scopes = (match[1] ?? '').split('+') as Scope[]
      return {
        principal: ownerPrincipal,
        scopes,
        via: { kind: 'token', id: tokenIdOf(secret), name: 'test', from },
      }
    },
    onRevoked(listener: (tokenId: string) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    redeem: record('redeem', () => ({ token: token('x'), secret: 'dork_x' })),
    createCode: record('createCode', () => ({ code: 'ABCDE-FGHJK', expires_at: time, scopes: ['read'] })),
    requestPairing: record('requestPairing', () => ({
      code: pairing.code,
      secret: 's'.repeat(43),
      expires_at: time,
    })),
    claimPairing: record('claimPairing', () => ({ state: 'pending' })),
    getPairing: record('getPairing', () => pairing),
    confirmPairing: record('confirmPairing', () => ({ ...pairing, confirmed: true })),
    createToken: record('createToken', () => ({ token: token('x'), secret: 'dork_x' })),
    listTokens: record('listTokens', (actor: Actor) => [
      { ...token('x'), id: tokenOf(actor).id, current: true },
    ]),
    renameToken: record('renameToken', () => token('x')),
    revokeToken: record('revokeToken', () => undefined),
  }
}

function recordingLogger(log: HttpFixture['log']): Logger {
  const at = (level: string) => (fields: object, message: string) => void log.push({ level, fields, message })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export function goneCode(): never {
  throw new AppError('gone', say('cli_words', { text: 'used' }))
}

/** The path of an endpoint with parameters that fit. */
export function pathOf(endpoint: Endpoint): string {
  const shape = endpoint.params?.shape ?? {}
  return endpoint.path.replace(/:(\w+)/g, (_match, name: string) => {
    if (name === 'messageId') return messageId
    if (name === 'index') return '0'
    const isSession = shape[name]?.safeParse(sessionId).success
    return isSession ? sessionId : 'tok_00000001'
  })
}

/** A file, hostile in name and content. */
const served = (mediaType: string) => async () => ({
  fileName: 'a "b"/c.md',
  mediaType,
  chunks: (async function* () {
    yield '# one\n'
    yield '<script>alert(1)</script>\n'
  })(),
})

export interface RawAnswer {
  status: number
  head: string
  body: string
}

/** Sends bytes as they are and reads until the other side closes (`Connection: close` is up to the caller). */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => {
      const [head = '', ...rest] = answer.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1] ?? 0), head, body: rest.join('\r\n\r\n') })
    })
    socket.on('error', reject)
  })
}
