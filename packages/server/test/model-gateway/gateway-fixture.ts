import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Script, type ScriptedModel, startScriptedModel } from '@dorkos/testkit'
import type { GatewaySession } from '../../src/model-gateway/credentials.ts'
import type {
  Admission,
  ModelGatewayOptions,
  ModelUpstream,
} from '../../src/model-gateway/gateway-options.ts'
import { type ModelGateway, startModelGateway } from '../../src/model-gateway/model-gateway.ts'
import type { GatewayObservation } from '../../src/model-gateway/observation.ts'

export const REAL_KEY = 'sk-real-key-of-the-server'

export interface GatewayFixture extends AsyncDisposable {
  readonly gateway: ModelGateway
  readonly model: ScriptedModel
  readonly session: GatewaySession
  /** That of `session`. */
  readonly credential: string
  readonly seen: (GatewayObservation & { sessionId: string })[]
  /** Each call that admission was asked about. */
  readonly asked: { sessionId: string; model: string | undefined; path: string }[]
  readonly logs: { level: string; message: string; fields: object }[]
  /** Resolves once so many calls were observed. */
  observed(count: number): Promise<void>
}

export interface FixtureOptions extends Partial<Omit<ModelGatewayOptions, 'admit' | 'upstream'>> {
  admit?: () => Admission | Promise<Admission>
  upstream?: (model: ScriptedModel) => ModelUpstream
  demo?: boolean
}

export function realUpstream(baseUrl: string): ModelUpstream {
  return { kind: 'anthropic', baseUrl, headers: async () => ({ 'x-api-key': REAL_KEY }) }
}

/** A gateway in front of a scripted model, and one session with a credential. */
export async function startGateway(script: Script, options: FixtureOptions = {}): Promise<GatewayFixture> {
  const { admit, upstream, demo = false, ...rest } = options
  const model = await startScriptedModel(script)
  const seen: GatewayFixture['seen'] = []
  const asked: GatewayFixture['asked'] = []
  const logs: GatewayFixture['logs'] = []
  const waiting = new Set<() => void>()
  const log = (level: string) => (fields: object, message: string) =>
    void logs.push({ level, message, fields })
  const gateway = await startModelGateway({
    upstream: () => upstream?.(model) ?? realUpstream(model.url),
    async admit({ sessionId }, call) {
      asked.push({ sessionId, ...call })
      return (await admit?.()) ?? { ok: true }
    },
    observe({ sessionId }, observation) {
      seen.push({ sessionId, ...observation })
      for (const wake of waiting) wake()
    },
    env: {},
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    ...rest,
  })
  const session = { sessionId: 'session-1', principal: 'owner', demo }
  const credential = gateway.issue(session)
  return {
    gateway,
    model,
    session,
    credential,
    seen,
    asked,
    logs,
    async observed(count) {
      while (seen.length < count) {
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
        })
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await model.close()
    },
  }
}

export interface Sent {
  method?: string
  path?: string
  headers?: OutgoingHttpHeaders
  body?: string | undefined
  signal?: AbortSignal
}

export const question = (fields: object = {}) =>
  JSON.stringify({
    model: 'claude-test',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'hi' }],
    ...fields,
  })

/** A request whose every header is the test's own. Resolves with the head of the answer. */
export function send(gateway: ModelGateway, { method = 'POST', path, headers, body, signal }: Sent) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(
      gateway.url + (path ?? '/v1/messages?beta=true'),
      { method, agent: false, ...(headers && { headers }), ...(signal && { signal }) },
      resolve,
    )
    request.on('error', reject)
    request.end(body)
  })
}

export async function ask(fixture: GatewayFixture, sent: Sent = {}) {
  const headers = { 'x-api-key': fixture.credential, 'content-type': 'application/json', ...sent.headers }
  const answer = await send(fixture.gateway, { body: question(), ...sent, headers })
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
}
