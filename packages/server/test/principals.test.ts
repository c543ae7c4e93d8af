/**
 * Two principals on one server. The owner has something of everything, all of it with the word “otter” in it; a guest, who may do
 * as much, calls every endpoint of the table with the owner's ids: there is nothing of the owner's for them, and nothing changes.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type ApiClient,
  createApiClient,
  type Endpoint,
  endpoints,
  type FollowAllOptions,
  StreamCursor,
  scopes,
} from '@dorkos/shared'
import { toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSqliteStore } from '../src/adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { Frames } from './support/collect-frames.ts'
import { Conversation } from './support/conversation.ts'
import { bodies, queries } from './support/http-samples.ts'
import { Prompts } from './support/prompts.ts'
import { type Host, startHost } from './support/start-host.ts'

const table = Object.entries(endpoints as Record<string, Endpoint>)

/** One thing of somebody's each: for somebody else it is not there. */
const things = {
  '/api/sessions/:id': () => owned.session,
  '/api/drafts/:key': () => owned.session,
  '/api/approvals/:id': () => owned.approval,
  '/api/rules/:id': () => owned.rule,
  '/api/tokens/:id': () => owned.token,
}

const thingOf = ({ path }: Endpoint) =>
  Object.entries(things).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1]

/** Lists of somebody's things, asked for in every way; all of them hold something of the owner's, for the owner. */
const lists: Record<string, () => string[]> = {
  listSessions: () => ['', '?live=true', '?origin=dorkos', `?workspace_id=${owned.workspace}`],
  searchSessions: () => ['?q=otter'],
  listDrafts: () => [''],
  listApprovals: () => ['', '?state=all', `?state=all&session_id=${owned.session}`],
  listRules: () => ['', '?revoked=true'],
  listTokens: () => [''],
  listAudit: () => ['?limit=1000', `?session_id=${owned.session}`, '?action=rule_created'],
  getCosts: () => ['?group=session'],
  listLedger: () => ['', `?session_id=${owned.session}`],
  listBudgets: () => [''],
}

/** What makes, ends or lists something that is the actor's own. */
const own = [
  ...['createSession', 'prepareNewSession', 'createRule', 'createToken', 'createCode'],
  ...['getCurrentToken', 'signOut'],
]

/** What belongs to the machine: whoever may use it sees the same. A new endpoint is put here with a reason, or keeps principals apart. */
const machine: Record<string, string> = {
  ...reasoned('says nothing of anybody', 'getHealth', 'getStatus', 'listTools'),
  ...reasoned('nobody is known yet', 'redeemCode', 'requestPairing', 'claimPairing'),
  ...reasoned('whoever is shown the code decides', 'getPairing', 'confirmPairing'),
  ...reasoned('the server has one configuration', 'getConfig', 'changeConfig'),
  ...reasoned('the audit log is one chain; only whether it is whole is answered', 'verifyAudit'),
  ...reasoned('a workspace is a directory of the machine', ...namesUnder('/api/workspaces')),
  ...reasoned('profiles are files of the machine', ...namesUnder('/api/profile')),
  ...reasoned('MCP servers and tools are the machine’s', ...namesUnder('/api/mcp'), 'listToolModules'),
}

function reasoned(reason: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]))
}

function namesUnder(path: string): string[] {
  return table.filter(([, endpoint]) => endpoint.path.startsWith(path)).map(([name]) => name)
}

const prompts = new Prompts()
const idempotencyKey = 'the-same-key-of-both'
let host: Host
let ownerSecret: string
let guest: { secret: string; client: ApiClient }
let conversation: Conversation
let owned: {
  session: string
  ended: string
  waiting: string
  approval: string
  rule: string
  token: string
  workspace: string
}
let before: unknown

beforeAll(async () => {
  host = await startHost(prompts.script)
  ownerSecret = await host.server.ownToken()
  const secret = await tokenOf('guest')
  guest = { secret, client: createApiClient({ baseUrl: host.server.url, token: secret }) }
  await setUpOwner()
  before = await seenByOwner()
})
afterAll(async () => {
  await conversation?.close()
  await host?.close()
})

/** A token with every scope. There is no way to make one for somebody else but to write it down. */
async function tokenOf(principal: string): Promise<string> {
  const secret = `dork_${randomBytes(32).toString('base64url')}`
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const store = await openSqliteStore({ path: join(host.home, 'dorkos.db'), clock: systemClock, logger })
  await store.records.tokens.create({
    id: `tok_${randomUUID().slice(0, 8)}`,
    name: principal,
    scopes: [...scopes],
    principal,
    kind: 'api',
    created_at: new Date().toISOString(),
    hash: createHash('sha256').update(secret).digest('hex'),
  })
  await store.close()
  return secret
}

/** The index of the transcripts is a moment behind. */
const until = (isTrue: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await isTrue()).toBe(true), { timeout: 50_000 })

/** A turn that ended, one that waits for an answer, and a message behind it. */
async function setUpOwner(): Promise<void> {
  const { client } = host
  const { session } = await client.createSession({
    body: { title: 'otter title', content: prompts.on('say otter', 'an otter was said') },
    idempotencyKey,
  })
  conversation = new Conversation(host, session.id)
  const ended = await conversation.endOf(1)
  const command = toolUse('Bash', { command: 'echo otter > otter', description: 'a test' })
  await conversation.send(prompts.on('ask for an otter', command, 'no otter'))
  const { approval } = await conversation.watch.next('approval_required')
  const waiting = await conversation.send(prompts.on('a later otter', 'a late otter'))
  const scope = { kind: 'everywhere' } as const
  await client.saveDraft({ params: { key: session.id }, body: { text: 'half an otter', base_revision: 0 } })
  const rule = await client.createRule({ body: { effect: 'ask', tool: 'Otter', scope } })
  const { token } = await client.createToken({ body: { name: 'otter token', scopes: ['read'] } })
  const { workspaces } = await client.listWorkspaces()
  owned = {
    session: session.id,
    ended: ended.turn_id,
    waiting: waiting.id,
    approval: approval.id,
    rule: rule.id,
    token: token.id,
    workspace: workspaces[0]?.id ?? '',
  }
  await until(async () => (await client.searchSessions({ query: { q: 'otter' } })).hits.length > 1)
  // The session's branch and model come from there too, with lines that are read after the first.
  const params = { id: session.id }
  await until(async () => {
    const { branch, model } = await client.getSession({ params })
    return branch !== undefined && model !== undefined
  })
}

/** All that the owner has, but for when a token was used and what the index of the transcripts has read by now. */
async function seenByOwner() {
  const { client } = host
  const params = { id: owned.session }
  const { entries } = await client.listAudit({ query: { limit: 1000 } })
  const { tokens } = await client.listTokens()
  const { message_count: _, ...session } = await client.getSession({ params })
  return {
    session,
    drafts: await client.listDrafts(),
    turns: await client.listTurns({ params }),
    history: await client.getHistory({ params }),
    servers: await client.getSessionMcp({ params }),
    approvals: (await client.listApprovals({ query: { state: 'all' } })).approvals,
    rules: await client.listRules({ query: { revoked: 'true' } }),
    costs: await client.listLedger(),
    audit: entries.filter(({ principal }) => principal === 'owner'),
    tokens: tokens.map(({ id, name, revoked_at }) => ({ id, name, revoked_at })),
  }
}

/** What is in a text of the owner's, but for ids that were asked about: an error says what is not there. */
function foundIn(text: string, asked = ''): string[] {
  const { workspace: _, ...ids } = owned
  const revealed = Object.values(ids).filter((id) => text.includes(id) && !asked.includes(id))
  return /otter/i.test(text) ? ['otter', ...revealed] : revealed
}

interface Asked {
  secret?: string
  query?: string
  headers?: Record<string, string>
}

async function call(name: string, asked: Asked = {}) {
  const { secret = guest.secret, query = queries[name] ?? '', headers = {} } = asked
  const endpoint = endpoints[name as keyof typeof endpoints] as Endpoint
  const path = `${pathOf(endpoint)}${query}`
  const body = endpoint.body === undefined ? undefined : JSON.stringify(bodyOf(name))
  const response = await fetch(`${host.server.url}${path}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, text, found: foundIn(text, `${path} ${body}`) }
}

/** With the owner's ids. Of the machine's things, what is read is there, and what is changed is not: they are no part of this. */
function pathOf(endpoint: Endpoint): string {
  const isRead = endpoint.method === 'GET'
  const id = thingOf(endpoint)?.() ?? (isRead ? owned.workspace : 'ws_00000000')
  const params: Record<string, string> = {
    id,
    key: id,
    messageId: owned.waiting,
    toolCallId: 'toolu_otter',
    taskId: 'b0otter',
    index: '0',
    name: 'nothing',
    code: 'ABCDE-FGHJK',
    digest: 'a'.repeat(64),
  }
  return endpoint.path.replace(/:(\w+)/g, (_match, name: string) => params[name] ?? '')
}

function bodyOf(name: string): unknown {
  const more: Record<string, unknown> = {
    // Neither asks for the session first.
    settleMessage: { action: 'drop' },
    switchMcp: { session_id: owned.session, server: 'github', off: true },
    createSession: { title: 'badger title', content: 'say badger' },
    createRule: { effect: 'ask', tool: 'Badger', scope: { kind: 'everywhere' } },
    addMcpServers: { name: 'dorkos', entry: { command: 'true' } },
    changeConfig: { set: {} },
  }
  return more[name] ?? bodies[name] ?? {}
}

it('every endpoint is about somebody’s things, or is the machine’s for a reason', () => {
  const groups = table.map(([name, endpoint]) => [
    name,
    [
      thingOf(endpoint) !== undefined,
      name in lists,
      own.includes(name),
      name in machine,
      name === 'followAll',
    ].filter(Boolean).length,
  ])
  expect(groups.filter(([, count]) => count !== 1)).toEqual([])
})

describe('somebody else', () => {
  const byId = table.filter(([, endpoint]) => thingOf(endpoint)).map(([name]) => name)

  it.each([...byId, 'switchMcp'])('gets the answer from %s that there is no such thing', async (name) => {
    expect(await call(name)).toMatchObject({ status: 404, found: [] })
  })

  it('gets it as well where a stream would answer, or what happened since', async () => {
    const accept = 'text/event-stream'
    const sent = await call('sendMessage', { headers: { accept } })
    const followed = await call('followSession', { headers: { accept, 'last-event-id': '1-1' } })
    for (const answer of [sent, followed]) expect(answer).toMatchObject({ status: 404, found: [] })
  })

  it.each(Object.keys(lists))('finds nothing in %s', async (name) => {
    for (const query of lists[name]?.() ?? []) {
      expect((await call(name, { secret: ownerSecret, query })).found, `for the owner: ${query}`).not.toEqual(
        [],
      )
      expect(await call(name, { query }), query).toMatchObject({ status: 200, found: [] })
    }
  })

  it.each(Object.keys(machine).filter((name) => name !== 'switchMcp'))(
    'learns nothing from %s',
    async (name) => {
      const { status, found } = await call(name)
      expect(found).toEqual([])
      expect(status).toBeLessThan(500)
    },
  )

  it('makes what is their own, and finds it', async () => {
    prompts.on('say badger', 'a badger was said')
    const made = await call('createSession', { headers: { 'idempotency-key': idempotencyKey } })
    expect(made).toMatchObject({ status: 201, found: [] })
    const { session } = JSON.parse(made.text)
    const theirs = new Conversation({ client: guest.client }, session.id)
    await theirs.endOf(1)
    await theirs.close()
    for (const name of ['createRule', 'createToken', 'createCode'])
      expect(await call(name)).toMatchObject({ status: 201, found: [] })
    const { client } = guest
    expect((await client.getCurrentToken()).token).toMatchObject({ principal: 'guest', current: true })
    expect((await client.listSessions()).sessions).toMatchObject([{ id: session.id, title: 'badger title' }])
    expect((await client.listRules()).rules).toMatchObject([{ tool: 'Badger', principal: 'guest' }])
    expect((await client.getCosts()).total.turns).toBe(1)
    await until(async () => (await client.searchSessions({ query: { q: 'badger' } })).hits.length > 0)
    const secret = await tokenOf('guest')
    expect((await call('signOut', { secret })).status).toBe(204)
    expect((await call('getCurrentToken', { secret })).status).toBe(401)
    expect((await call('getCurrentToken')).status).toBe(200)
  })

  it('is as invisible to the owner', async () => {
    const queries = Object.entries(lists).map(([name, each]) => [name, [...each(), '']] as const)
    for (const [name, each] of queries.filter(([name]) => name !== 'searchSessions'))
      for (const query of each)
        expect((await call(name, { secret: ownerSecret, query })).text).not.toMatch(/badger|"guest"/i)
    expect((await host.client.searchSessions({ query: { q: 'badger' } })).hits).toEqual([])
    const [session] = (await guest.client.listSessions()).sessions
    const params = { id: session?.id ?? '' }
    await expect(host.client.getSession({ params })).rejects.toMatchObject({ status: 404 })
  })

  it('leaves everything as it was', async () => {
    expect(await seenByOwner()).toEqual(before)
  })
})

describe('the stream of somebody else', () => {
  const follow = (client: ApiClient, options: FollowAllOptions) =>
    new Frames((signal) => client.followAll({ ...options, signal, maxRetryMs: 200 }))

  /** From a snapshot, from where the log is, and from its beginning. */
  async function followed(): Promise<Frames[]> {
    const sessions = [owned.session]
    const log = follow(host.client, { sessions })
    const snapshot = await log.next(({ frame, cursor }) => frame === 'snapshot' && cursor !== undefined)
    await log.close()
    const from = (cursor = '') => {
      const reached = new StreamCursor()
      reached.note({ ...snapshot, cursor })
      return reached
    }
    const streams = [
      follow(guest.client, { sessions }),
      follow(guest.client, { sessions, cursor: from(snapshot.cursor) }),
      follow(guest.client, { sessions, cursor: from(snapshot.cursor?.replace(/\d+$/, '1')) }),
    ]
    for (const stream of streams) await stream.next(({ frame }) => frame === 'resync')
    return streams
  }

  it('has nothing of the owner’s, neither from before nor from what happens', async () => {
    const streams = await followed()
    await conversation.answer({ decision: 'deny', message: 'no otter' })
    await conversation.end({ id: owned.waiting })
    await host.client.createSession({ body: { title: 'another otter' } })
    await host.client.saveDraft({ params: { key: 'new' }, body: { text: 'a new otter', base_revision: 0 } })
    await host.client.createRule({
      body: { effect: 'ask', tool: 'OtterToo', scope: { kind: 'everywhere' } },
    })
    const { session } = await guest.client.createSession({ body: { title: 'a last badger' } })
    for (const stream of streams) {
      await stream.next((frame) => JSON.stringify(frame).includes(session.id))
      expect(foundIn(JSON.stringify(stream.all.filter(({ frame }) => frame !== 'resync')))).toEqual([])
      for (const type of ['rules_changed', 'draft_changed'])
        expect(stream.serverEvents.map((event) => event.type)).not.toContain(type)
      expect(stream.of('resync')).toEqual([
        expect.objectContaining({ session: owned.session, reason: 'not_found' }),
      ])
      await stream.close()
    }
  })
})
