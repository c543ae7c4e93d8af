/** A person signs in to an MCP server: running sessions get its tools, and nobody gets to see a token. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AuthServer, startAuthServer, toolUse } from '@dorkos/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cliPid } from '../support/cli-process.ts'
import { Conversation } from '../support/conversation.ts'
import { lastOffer, untilStatus } from '../support/mcp-servers.ts'
import { Prompts } from '../support/prompts.ts'
import { ServerTopic } from '../support/server-topic.ts'
import { cameBack, signIn } from '../support/sign-in.ts'
import { type Host, startHost } from '../support/start-host.ts'

const name = 'notes'
const params = { name }
const tool = 'mcp__notes__whoami'
const prompts = new Prompts()
const said: unknown[] = []
let auth: AuthServer
let host: Host
let session: Conversation
let topic: ServerTopic
beforeAll(async () => {
  auth = await startAuthServer()
  const config = { log: { level: 'debug' }, mcpServers: { [name]: { type: 'http', url: auth.mcpUrl } } }
  host = await startHost(prompts.script, { config })
  topic = new ServerTopic(host.client)
  session = await Conversation.open(host, {
    content: prompts.on('hello', 'ok'),
    permission_mode: 'bypassPermissions',
  })
  await session.endOf(1)
})
afterAll(async () => {
  await topic?.close()
  await session?.close()
  await host?.close()
  await auth?.close()
})

const shown = async () => {
  const { server } = await host.client.getMcpServer({ params })
  said.push(server)
  return server
}

const actions = async (action: 'mcp_signed_in' | 'mcp_signed_out') => {
  const { entries } = await host.client.listAudit({ query: { action } })
  said.push(entries)
  return entries
}

/** What the tool gave, or why it did not. */
async function called(words: string): Promise<string> {
  await session.say(prompts.on(words, toolUse(tool), 'done'))
  return String(session.watch.of('tool_result').at(-1)?.content[0]?.text)
}

it('is asked to, and the running session has the tool after that', async () => {
  const pid = cliPid(host.root, session.id)
  await untilStatus(session, name, 'needs_auth')
  expect(lastOffer(host, session)).toEqual([])
  expect(await shown()).toMatchObject({
    can_sign_in: true,
    health: { state: 'needs_auth', error: 'answered HTTP 401: sign in to it' },
  })
  expect(await shown()).not.toHaveProperty('signed_in')

  const { finished, step } = await signIn(host, auth, name)
  said.push(finished)
  expect(step.host).toBe(new URL(auth.issuer).host)
  expect(finished).toMatchObject({
    name,
    details: {
      server: {
        health: { state: 'connected', tools: 1 },
        signed_in: { by: 'owner', host: step.host, scopes: ['notes:read'] },
      },
    },
  })
  await untilStatus(session, name, 'connected')
  expect(await called('who am I?')).toContain('You are signed in as Ada.')
  expect(lastOffer(host, session)).toEqual([tool])
  expect(cliPid(host.root, session.id)).toBe(pid)
  expect(topic.events.some(({ type }) => type === 'mcp_changed')).toBe(true)
  const [entry] = await actions('mcp_signed_in')
  expect(entry).toMatchObject({ principal: 'owner', detail: { server: name, host: step.host } })
})

it('is not noticed by anybody when the token runs out', async () => {
  const before = auth.tokens().length
  auth.expireAll()
  const calls = Array.from({ length: 8 }, () =>
    host.client.callMcpTool({ params, body: { tool: 'whoami', input: {} } }),
  )
  for (const call of await Promise.all(calls)) {
    said.push(call)
    expect(JSON.stringify(call)).toContain('You are signed in as Ada.')
  }
  // A refresh token that is used twice ends the sign-in: it was used once.
  expect(auth.tokens().length).toBe(before + 2)
  auth.expireAll()
  expect(await called('and now?')).toContain('You are signed in as Ada.')
  const { servers = [] } = session.watch.of('mcp_status').at(-1) ?? {}
  expect(servers.find((one) => one.name === name)?.status).toBe('connected')
})

it('outlives a restart of the server', async () => {
  await topic.close()
  await session.close()
  await host.restart()
  auth.expireAll()
  const { server } = await host.client.testMcpServer({ params, body: {} })
  expect(server).toMatchObject({ health: { state: 'connected' }, signed_in: { by: 'owner' } })
  session = new Conversation(host, session.id)
  topic = new ServerTopic(host.client)
  expect(await called('after the restart')).toContain('You are signed in as Ada.')
})

it('is asked to again when the sign-in cannot be renewed', async () => {
  auth.expireAll()
  auth.refuseRefresh()
  const reply = await called('once more')
  expect(reply).toMatch(/sign in/i)
  await untilStatus(session, name, 'needs_auth')
  const server = await shown()
  expect(server).toMatchObject({ can_sign_in: true, health: { state: 'needs_auth' } })
  expect(server).not.toHaveProperty('signed_in')
  const registrations = () => auth.requests.filter((each) => each === 'POST /register').length
  const before = registrations()
  await signIn(host, auth, name)
  expect(registrations()).toBe(before)
  expect(await called('signed in again')).toContain('You are signed in as Ada.')
})

it('signs out: the tokens are revoked and forgotten, and the server is not reached any more', async () => {
  const tokens = auth.tokens().slice(-2)
  await host.client.endMcpSignIn({ params })
  expect(auth.revoked().toSorted()).toEqual(tokens.toSorted())
  const server = await shown()
  expect(server).toMatchObject({ can_sign_in: true, health: { state: 'needs_auth' } })
  expect(server).not.toHaveProperty('signed_in')
  expect(await actions('mcp_signed_out')).toMatchObject([{ detail: { server: name } }])
  await expect(host.client.endMcpSignIn({ params })).rejects.toMatchObject({ status: 404 })
  expect(await called('signed out')).toMatch(/sign in/i)
})

it('loses the sign-in with the entry', async () => {
  await signIn(host, auth, name)
  const tokens = auth.tokens().slice(-2)
  await host.client.removeMcpServer({ params })
  expect(auth.revoked()).toEqual(expect.arrayContaining(tokens))
  await host.client.addMcpServers({ body: { name, entry: { type: 'http', url: auth.mcpUrl } } })
  await host.client.testMcpServer({ params, body: {} })
  expect(await shown()).not.toHaveProperty('signed_in')
})

it('takes a no for an answer', async () => {
  const redirect_uri = 'http://127.0.0.1:9/callback'
  const step = await host.client.beginMcpSignIn({ params, body: { redirect_uri } })
  if (step.step !== 'open') throw new Error('a client is needed')
  const denied = host.client.finishMcpSignIn({ body: cameBack(await auth.deny(step.url)) })
  await expect(denied).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('access_denied'),
  })
})

it('gave nobody a token, whatever was asked for and went wrong', async () => {
  said.push(
    await host.client.listMcpServers(),
    await host.client.getSessionMcp({ params: session.params }),
    await host.client.listAudit({ query: { limit: 1000 } }),
    await host.client.exportMcpServers(),
    await host.client.getConfig(),
    session.watch.events,
    topic.events,
    host.model.requests.map(({ body }) => body),
  )
  const all = JSON.stringify(said)
  const log = readFileSync(host.server.logFile, 'utf8')
  expect(all).toContain('whoami')
  expect(log).toContain('needs_auth')
  expect(auth.tokens().length).toBeGreaterThan(8)
  for (const token of auth.tokens()) {
    expect(all).not.toContain(token)
    expect(log).not.toContain(token)
  }
  // They are where they belong, which shows that the search would have found them.
  await signIn(host, auth, name)
  const stored = ['dorkos.db', 'dorkos.db-wal'].map((file) => readFileSync(join(host.home, file), 'latin1'))
  expect(stored.join('')).toContain(auth.tokens().at(-1))
})
