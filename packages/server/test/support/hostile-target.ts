/** A running server with something of everything in it, and a request for each endpoint that would change it if it were let in. */
import { mkdirSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { createApiClient, type Endpoint, endpoints, type Scope, type Session } from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { Conversation } from './conversation.ts'
import { Prompts } from './prompts.ts'
import { type Host, type HostOptions, startHost } from './start-host.ts'

export interface Sent {
  token?: string | undefined
  headers?: Record<string, string>
  body?: string | undefined
  /** After the path. */
  query?: string
}

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface HostileTarget {
  readonly host: Host
  /** The secret of a token with these scopes; each is made once. */
  token(...scopes: Scope[]): Promise<string>
  /** Sends the request of an endpoint, valid but for what is given. */
  call(name: string, sent?: Sent): Promise<Answered>
  /** Anything at all. */
  send(method: string, path: string, sent?: Sent): Promise<Answered>
  /** All that a request could have changed, as the owner sees it. */
  snapshot(): Promise<unknown>
  close(): Promise<void>
}

export const table: [string, Endpoint][] = Object.entries(endpoints as Record<string, Endpoint>)

export async function startHostileTarget(options: HostOptions): Promise<HostileTarget> {
  const prompts = new Prompts()
  const host = await startHost(prompts.script, options)
  const { client, server } = host
  const secrets = new Map<string, string>()
  const content = prompts.on('work', toolUse('Bash', { command: 'echo x > made-by-agent' }), 'done')
  const session = await Conversation.open(host, { content })
  const { approval } = await session.watch.next('approval_required')
  const waiting = await session.send('later')
  mkdirSync(join(host.root, 'other'))
  mkdirSync(join(host.root, 'new'))
  const workspace = await client.createWorkspace({ body: { path: join(host.root, 'other') } })
  const shown = await client.getWorkspaceTrust({ params: { id: workspace.id } })
  const rule = await client.createRule({
    body: { effect: 'ask', tool: 'Read', scope: { kind: 'everywhere' } },
  })
  const victim = await client.createToken({ body: { name: 'victim', scopes: ['read'] } })
  const ids: Record<string, string> = {
    sessions: session.id,
    approvals: approval.id,
    rules: rule.id,
    tokens: victim.token.id,
    workspaces: workspace.id,
  }
  const bodies: Record<string, unknown> = {
    redeemCode: { code: 'ABCDEFGHJK', name: 'a browser' },
    requestPairing: { name: 'a browser' },
    claimPairing: { secret: 's'.repeat(43) },
    callMcpTool: { tool: 'any' },
    createToken: { name: 'more', scopes: ['read'] },
    renameToken: { name: 'renamed' },
    changeConfig: { set: { 'sessions.idleMinutes': 77 } },
    createWorkspace: { path: join(host.root, 'new') },
    changeWorkspace: { name: 'renamed', trusted: true },
    giveWorkspaceTrust: { digest: shown.digest },
    changeSession: { title: 'renamed', archived: true },
    sendMessage: { content: 'hello' },
    editMessage: { content: 'edited' },
    moveMessage: { before: null },
    settleMessage: { action: 'drop' },
    rewindFiles: { message_id: waiting.id },
    answerApproval: { decision: 'allow' },
    createRule: { effect: 'allow', tool: 'Bash', scope: { kind: 'everywhere' } },
    changeRule: { effect: 'allow' },
  }
  const pathOf = ({ path }: Endpoint) =>
    path.replace(':messageId', waiting.id).replace(':id', ids[path.split('/')[2] ?? ''] ?? 'none')

  const target: HostileTarget = {
    host,
    async token(...scopes) {
      const key = scopes.join(' ')
      const known = secrets.get(key)
      if (known) return known
      const { secret } = await client.createToken({ body: { name: key, scopes } })
      secrets.set(key, secret)
      return secret
    },
    async call(name, sent = {}) {
      const endpoint = (endpoints as Record<string, Endpoint>)[name]
      if (!endpoint) throw new Error(`there is no endpoint ${name}`)
      const token = 'token' in sent ? sent.token : await target.token('read', 'chat', 'approve', 'admin')
      const query = sent.query ?? (name === 'searchSessions' ? '?q=x' : '')
      const body = endpoint.body ? JSON.stringify(bodies[name] ?? {}) : undefined
      return target.send(endpoint.method, `${pathOf(endpoint)}${query}`, {
        body,
        ...sent,
        token,
        headers: { ...(endpoint.body && { 'content-type': 'application/json' }), ...sent.headers },
      })
    },
    send: (method, path, sent = {}) => send(server.port, method, path, sent),
    async snapshot() {
      const owner = createApiClient({
        baseUrl: server.url,
        token: await target.token('read', 'chat', 'approve', 'admin'),
      })
      const [tokens, turns, approvals, audit] = await Promise.all([
        owner.listTokens(),
        owner.listTurns({ params: session.params }),
        owner.listApprovals({ query: { state: 'all' } }),
        owner.listAudit({ query: { limit: 1 } }),
      ])
      return {
        sessions: (await owner.listSessions()).sessions.map(ownFields),
        rules: await owner.listRules({ query: { revoked: 'true' } }),
        workspaces: await owner.listWorkspaces(),
        config: await owner.getConfig(),
        tokens: tokens.tokens.map(
          ({ last_used_at: _, last_used_from: _from, last_used_agent: _agent, ...token }) => token,
        ),
        turns,
        approvals: approvals.approvals,
        newestAuditEntry: audit.entries[0]?.id,
      }
    },
    async close() {
      await session.watch.close()
      await host.close()
    },
  }
  for (const { scope } of Object.values(endpoints as Record<string, Endpoint>))
    if (scope !== 'public')
      await target.token(
        ...(['read', 'chat', 'approve', 'admin'] as const).filter((other) => other !== scope),
      )
  await target.token('read', 'chat', 'approve', 'admin')
  return target
}

/** Without what the index adds when it comes to it (model, branch, number of messages). */
function ownFields({ id, title, state, live, archived, pinned, unattended, ...rest }: Session) {
  const { permission_mode, budget_usd, max_turns, pending_approvals, queued_messages } = rest
  const limits = { permission_mode, budget_usd, max_turns, unattended }
  return { id, title, state, live, archived, pinned, ...limits, pending_approvals, queued_messages }
}

/** As a browser's fetch cannot: any header, Host and Origin included. A stream is left after its first bytes. */
function send(port: number, method: string, path: string, sent: Sent): Promise<Answered> {
  const { token, headers = {}, body } = sent
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy()
        })
        const { statusCode = 0, headers: received } = response
        response.on('close', () => resolve({ status: statusCode, headers: received, body: text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
