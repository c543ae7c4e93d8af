/**
 * Whole servers that share coordination, records, events and the way to owners: what is asked of one acts where the session runs,
 * and is answered where it was asked.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiClient, type EndpointBody } from '@dorkos/shared'
import { hang, reply, toolUse } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { killCli, transcriptText } from './support/cli-process.ts'
import { CommonSession } from './support/common-session.ts'
import { Conversation } from './support/conversation.ts'
import { killableStores } from './support/killable-stores.ts'
import { lastOffer, offering } from './support/mcp-servers.ts'
import { type Answer, Prompts } from './support/prompts.ts'
import type { Host } from './support/start-host.ts'
import { moduleOf } from './support/tool-host-fixture.ts'
import { startTwoServers, type TwoServers } from './support/two-servers.ts'

const prompts = new Prompts()
const opened: Conversation[] = []
let servers: TwoServers
let { a, b, shared } = {} as TwoServers
let common: CommonSession | undefined

beforeAll(async () => {
  servers = await startTwoServers(prompts.script)
  ;({ a, b, shared } = servers)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((conversation) => conversation.close()))
})
afterAll(async () => {
  await common?.close()
  await servers?.close()
})

/** Not one of those that the CLI holds for harmless. */
const bash = (command: string) => toolUse('Bash', { command, description: 'a test' })
let runs = 0
/** A turn each time. */
const polled = { timeout: 50_000, interval: 500 }
const kept = (conversation: Conversation) => {
  opened.push(conversation)
  return conversation
}

/** A session that B runs, as B's clients and A's see it. */
async function sessionOfB(...answers: Answer[]): Promise<{ atA: Conversation; atB: Conversation }> {
  const content = prompts.on(`several ${++runs}`, ...answers)
  const atB = kept(await Conversation.open(b, { content }))
  return { atB, atA: kept(new Conversation(a, atB.id)) }
}

/** The same as a turn of one session that B runs for several cases, seen from there on. */
async function turnOfB(...answers: Answer[]): Promise<{ atA: Conversation; atB: Conversation }> {
  common ??= await CommonSession.open(b)
  const [atA, atB] = await common.seenBy(a, b)
  await common.send(prompts.on(`several ${++runs}`, ...answers))
  return { atA, atB }
}

const mainWorkspace = async () =>
  (await a.client.listWorkspaces()).workspaces.find(({ main }) => main)?.id ?? ''
const running = async ({ id }: Conversation) => (await shared.coordination.leases.running([id])).get(id)

describe('asked of A, for a session of B', () => {
  it('a message runs at B; A answers, and its clients see every event in B’s order', async () => {
    const { atA, atB } = await turnOfB('first')
    await atB.endOf(1)
    const before = await running(atB)
    expect(await atA.session()).toMatchObject({ live: true, state: 'idle' })
    expect(await atA.say(prompts.on('from the other side', 'second'))).toMatchObject({ outcome: 'completed' })
    await atB.endOf(2)
    expect(await running(atB)).toEqual(before)
    expect(atA.watch.text).toBe('firstsecond')
    const ids = (conversation: Conversation) => conversation.watch.events.map(({ id }) => id)
    await expect.poll(() => ids(atA)).toEqual(ids(atB))
  })

  it('steering reaches the running turn', async () => {
    const { atA, atB } = await turnOfB(bash('echo slow > slow'), 'done')
    await atB.watch.next('approval_required')
    const steered = await atA.send('and hurry', 'steer')
    await atB.answer()
    await atB.endOf(1)
    expect(await atA.turn(steered.id)).toMatchObject({ state: 'ended', outcome: 'joined' })
    expect(JSON.stringify(a.model.requests.at(-1)?.messages)).toContain('and hurry')
  })

  it('a stop ends the process, and holds what waits', async () => {
    const { atA, atB } = await sessionOfB(hang())
    await atB.watch.next('turn_start')
    const waiting = await atA.send(prompts.on('later', 'later'))
    expect(await a.client.stopSession({ params: atA.params, body: {} })).toMatchObject({ live: false })
    expect(await atB.endOf(1)).toMatchObject({ outcome: 'interrupted' })
    expect(await atB.turn(waiting.id)).toMatchObject({ state: 'queued', held: true })
    expect(await running(atB)).toBeUndefined()
  })

  it('an interrupt ends the turn', async () => {
    const { atA, atB } = await turnOfB(hang())
    await atB.watch.next('turn_start')
    await a.client.interruptSession({ params: atA.params, body: {} })
    expect(await atA.endOf(1)).toMatchObject({ outcome: 'interrupted' })
  })

  it('a pause holds the agent, and its end lets it go on', async () => {
    const { atA, atB } = await turnOfB('one')
    await atB.endOf(1)
    expect(await a.client.pauseSession({ params: atA.params, body: {} })).toMatchObject({ state: 'paused' })
    expect(await atB.session()).toMatchObject({ state: 'paused' })
    expect(await a.client.resumeSession({ params: atA.params, body: {} })).toMatchObject({ state: 'idle' })
  })

  it('the answer to an approval reaches the agent that asked', async () => {
    const { atA, atB } = await turnOfB(bash('echo there | tee over'), 'ran')
    const approval = await atA.answer()
    expect(await atB.endOf(1)).toMatchObject({ outcome: 'completed' })
    expect(atB.watch.of('tool_result')).toMatchObject([{ content: [{ text: 'there' }] }])
    const late = b.client.answerApproval({ params: { id: approval.id }, body: { decision: 'deny' } })
    await expect(late).rejects.toMatchObject({ code: 'already_answered' })
  })

  it('the answer to a question does too', async () => {
    const question = {
      question: 'Which way?',
      header: 'Way',
      multiSelect: false,
      options: [
        { label: 'Left', description: 'left' },
        { label: 'Right', description: 'right' },
      ],
    }
    const { atA, atB } = await turnOfB(toolUse('AskUserQuestion', { questions: [question] }), 'thanks')
    const { approval } = await atA.watch.next('question_prompt')
    await a.client.answerApproval({
      params: { id: approval.id },
      body: { decision: 'allow', scope: 'once', answers: { 'Which way?': 'Left' } },
    })
    await atB.endOf(1)
    expect(JSON.stringify(a.model.requests.at(-1)?.messages)).toContain('Left')
  })

  it('an MCP switch changes what the agent is offered', async () => {
    await b.client.addMcpServers({ body: { name: 'notes', entry: offering('read') } })
    const { atA, atB } = await sessionOfB('one')
    await atB.endOf(1)
    expect(lastOffer(b, atB)).toContain('mcp__notes__read')
    await a.client.switchMcp({ body: { session_id: atA.id, server: 'notes', off: true } })
    await expect
      .poll(async () => {
        await atA.say(prompts.on(`again ${++runs}`, 'two'))
        return lastOffer(b, atB)
      })
      .not.toContain('mcp__notes__read')
  })

  it('a switch for the whole workspace reaches it, too', async () => {
    const workspace_id = await mainWorkspace()
    await b.client.addMcpServers({ body: { name: 'diary', entry: offering('write') } })
    const { atA, atB } = await sessionOfB('one')
    await atB.endOf(1)
    expect(lastOffer(b, atB)).toContain('mcp__diary__write')
    await a.client.switchMcp({ body: { workspace_id, server: 'diary', off: true } })
    await expect
      .poll(async () => {
        await atA.say(prompts.on(`again ${++runs}`, 'two'))
        return lastOffer(b, atB)
      })
      .not.toContain('mcp__diary__write')
  })

  it('a choice of sharing that is made at A holds at B', async () => {
    const workspace_id = await mainWorkspace()
    await a.client.addMcpServers({ body: { name: 'shelf', entry: offering('look') } })
    const params = { name: 'shelf' }
    const { sharing } = (await b.client.getMcpServer({ params, query: { workspace_id } })).server
    expect(sharing).toMatchObject({ mode: 'session', why: 'unknown' })
    await a.client.shareMcpServer({ params, body: { workspace_id, sharing: 'shared' } })
    await expect
      .poll(async () => (await b.client.getMcpServer({ params, query: { workspace_id } })).server.sharing)
      .toMatchObject({ mode: 'shared', why: 'chosen' })
  })

  it('a rule that is made at A holds at B', async () => {
    const { atB } = await sessionOfB(bash('echo ask > ask'), 'asked')
    await atB.answer()
    await atB.endOf(1)
    const rule = { effect: 'deny', tool: 'Bash', match: 'echo ruled > ruled' } as const
    await a.client.createRule({ body: { ...rule, scope: { kind: 'everywhere' } } })
    await expect
      .poll(async () => (await b.client.listRules({ query: {} })).rules.map(({ match }) => match))
      .toContain(rule.match)
    expect(await atB.say(prompts.on('deny it', bash(rule.match), 'denied'))).toMatchObject({
      outcome: 'completed',
    })
    expect(atB.watch.events.filter(({ type }) => type === 'approval_required')).toHaveLength(1)
    expect(atB.watch.events.some(({ type }) => type === 'tool_call_denied')).toBe(true)
  })

  it('a name, and the end of it all', async () => {
    const { atA, atB } = await sessionOfB('one')
    await atB.endOf(1)
    const named = await a.client.changeSession({ params: atA.params, body: { title: 'Named from afar' } })
    expect(named).toMatchObject({ title: 'Named from afar' })
    expect(await atB.session()).toMatchObject({ title: 'Named from afar', live: true })
    await a.client.deleteSession({ params: atA.params })
    for (const { client } of [a, b])
      await expect(client.getSession({ params: atA.params })).rejects.toMatchObject({ code: 'not_found' })
    expect((await a.client.listSessions({ query: {} })).sessions.map(({ id }) => id)).not.toContain(atA.id)
  })

  it('another model and mode hold from the next turn on', async () => {
    const { atA, atB } = await turnOfB('one')
    await atB.endOf(1)
    const change = (body: EndpointBody<'changeSession'>) =>
      a.client.changeSession({ params: atA.params, body })
    const { model = null, permission_mode } = await atA.session()
    const other = { model: 'claude-opus-4-5', permission_mode: 'acceptEdits' } as const
    // The CLI tries a model with a short message before it changes to it.
    prompts.on('Hi', 'Hello', 'Hello')
    expect(await change(other)).toMatchObject(other)
    const content = prompts.on('with another', toolUse('mcp__dorkos__ping'), 'ran')
    expect(await atA.say(content)).toMatchObject({ outcome: 'completed' })
    expect(a.model.requests.findLast(({ kind }) => kind === 'main')?.model).toMatch(/opus/)
    expect(atB.watch.of('tool_result')).toMatchObject([{ is_error: false }])
    expect(atB.watch.of('approval_required')).toEqual([])
    await change({ model, permission_mode })
  })

  it('a changed configuration does, too', async () => {
    const key = 'approvals.deadlineMinutes'
    const valueAt = async ({ client }: Host) =>
      (await client.getConfig()).keys.find(({ path }) => path === key)
    await a.client.changeConfig({ body: { set: { [key]: 7 } } })
    await expect.poll(() => valueAt(b)).toMatchObject({ value: 7, source: 'file' })
    const { atB } = await turnOfB(bash('echo soon > soon'), 'denied')
    const { created_at, deadline } = await atB.answer({ decision: 'deny' })
    expect(Date.parse(deadline) - Date.parse(created_at)).toBe(7 * 60_000)
    await atB.endOf(1)
    await b.client.changeConfig({ body: { set: { [key]: null } } })
    await expect.poll(() => valueAt(a)).toMatchObject({ source: 'default' })
  })

  it('a tool of the owner’s is offered when its module is saved, and gone when it is removed', async () => {
    const { atA, atB } = await turnOfB('none yet')
    await atB.endOf(1)
    const offered = async (name: string) => {
      await atA.say(prompts.on(`offered ${++runs}`, 'seen'))
      return lastOffer(b, atB).includes(name)
    }
    expect(await offered('mcp__tools__greet')).toBe(false)
    const file = join(shared.folder, 'tools', 'greet.mjs')
    writeFileSync(file, moduleOf('greet', "() => 'hello'"))
    await expect.poll(() => offered('mcp__tools__greet'), polled).toBe(true)
    writeFileSync(file, moduleOf('welcome', "() => 'hello'"))
    await expect.poll(() => offered('mcp__tools__welcome'), polled).toBe(true)
    expect(await offered('mcp__tools__greet')).toBe(false)
    rmSync(file)
    await expect.poll(() => offered('mcp__tools__welcome'), polled).toBe(false)
  })

  it('the folder that they share is closed to its agents', async () => {
    const file = join(shared.folder, 'config.jsonc')
    const before = readFileSync(file, 'utf8')
    const { atB } = await turnOfB(
      toolUse('Read', { file_path: file }),
      toolUse('Write', { file_path: file, content: '{}' }),
      toolUse('Write', { file_path: join(shared.folder, 'tools', 'mine.mjs'), content: 'x' }),
      'refused',
    )
    await atB.endOf(1)
    expect(atB.watch.of('tool_result').map(({ is_error }) => is_error)).toEqual([true, true, true])
    expect(atB.watch.of('approval_required')).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(join(shared.folder, 'tools'))).toEqual([])
    const inside = b.client.createSession({ body: { cwd: join(shared.folder, 'tools') } })
    await expect(inside).rejects.toMatchObject({ code: 'outside_roots' })
  })

  it('lists show what lives at either', async () => {
    const { atB } = await sessionOfB('one')
    await atB.endOf(1)
    const own = kept(await Conversation.open(a, { content: prompts.on(`own ${++runs}`, 'mine') }))
    await own.endOf(1)
    for (const { client } of [a, b]) {
      const { sessions } = await client.listSessions({ query: { live: 'true' } })
      expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining([atB.id, own.id]))
    }
  })
})

it('what a turn of B has cost so far counts in A’s budget of the day, and once when it has ended', async () => {
  const { atB } = await turnOfB(
    reply([bash('echo dear > dear')], { usage: { input_tokens: 100_000, output_tokens: 5000 } }),
    'denied',
  )
  await atB.watch.next('approval_required')
  const dayAt = async ({ client }: Host) =>
    (await client.listBudgets()).budgets.find(({ kind }) => kind === 'day')
  const usedAt = async (host: Host) => (await dayAt(host))?.used_usd ?? 0
  const ofSession = async ({ client }: Host) =>
    (await client.listBudgets()).budgets.find(({ session_id }) => session_id === atB.id)?.used_usd
  const limit = (usd: number | null) => a.client.changeConfig({ body: { set: { 'budgets.dayUsd': usd } } })
  const booked = async () => (await a.client.getCosts()).total.usd
  const before = await booked()
  await expect.poll(() => usedAt(a), polled).toBeGreaterThan(before + 0.1)
  expect(await ofSession(a)).toBeGreaterThan(0.1)
  await limit(before + 0.1)
  const own = kept(await Conversation.open(a, { content: prompts.on(`refused ${++runs}`, 'never') }))
  expect(await own.endOf(1)).toMatchObject({ outcome: 'budget', reason_code: 'day_budget' })
  expect(await booked()).toBe(before)
  await limit(null)
  await expect.poll(async () => (await dayAt(b))?.state).toBe('ok')
  await atB.answer({ decision: 'deny' })
  const { usd = 0 } = await atB.endOf(1)
  expect(usd).toBeGreaterThan(0.1)
  const once = expect.closeTo(before + usd, 9)
  expect([await booked(), await usedAt(a), await usedAt(b)]).toEqual([once, once, once])
})

it('a token that is revoked at A is refused at B', async () => {
  const { token, secret } = await a.client.createToken({ body: { name: 'a device', scopes: ['read'] } })
  const asked = () =>
    fetch(`${b.server.url}/api/sessions`, { headers: { authorization: `Bearer ${secret}` } })
  expect((await asked()).status).toBe(200)
  await a.client.revokeToken({ params: { id: token.id } })
  await expect.poll(async () => (await asked()).status).toBe(401)
})

describe('signing in at B', () => {
  const unknown = () => createApiClient({ baseUrl: b.server.url })

  it('works once by a code of A, and at neither any more', async () => {
    const code = new URL(await a.server.signInLink()).hash.replace('#code=', '')
    const body = { code, name: 'a browser' }
    const { token, secret } = await unknown().redeemCode({ body })
    const current = await createApiClient({ baseUrl: a.server.url, token: secret }).getCurrentToken()
    expect(current.token.id).toBe(token.id)
    for (const { server } of [a, b])
      await expect(createApiClient({ baseUrl: server.url }).redeemCode({ body })).rejects.toMatchObject({
        code: 'gone',
      })
  })

  it('works by a pairing that is confirmed at A', async () => {
    const { code, secret } = await unknown().requestPairing({ body: { name: 'a phone' } })
    const claim = () => unknown().claimPairing({ body: { secret } })
    expect(await claim()).toEqual({ state: 'pending' })
    await a.client.confirmPairing({ params: { code }, body: { scopes: ['read'] } })
    expect(await claim()).toMatchObject({ state: 'confirmed', token: { scopes: ['read'] } })
    await expect(claim()).rejects.toMatchObject({ code: 'gone' })
  })

  it('does not work by a code of a token that was revoked at A', async () => {
    const { token, secret } = await a.client.createToken({
      body: { name: 'a device', scopes: ['read', 'approve'] },
    })
    const { code } = await createApiClient({ baseUrl: a.server.url, token: secret }).createCode({ body: {} })
    await a.client.revokeToken({ params: { id: token.id } })
    const body = { code, name: 'a browser' }
    await expect(unknown().redeemCode({ body })).rejects.toMatchObject({ code: 'gone' })
  })
})

it('a server that is killed loses its sessions to another, once; those of others stay as they are', async () => {
  const stores = killableStores(shared)
  const c = await servers.add(stores)
  try {
    const { atB } = await sessionOfB('mine')
    await atB.endOf(1)
    const others = await running(atB)
    const lost = await Conversation.open(c, { content: prompts.on(`lost ${++runs}`, hang()) })
    const atA = kept(new Conversation(a, lost.id))
    const { turn_id } = await lost.watch.next('turn_start')
    await expect.poll(() => transcriptText(a.root, lost.id)).toContain(turn_id)
    const before = await running(lost)
    const waits = await atA.send(prompts.on(`waits ${++runs}`, 'at last'))
    stores.cut()
    killCli(a.root, lost.id)
    const sentOn = await atA.send(prompts.on(`sent on ${++runs}`, 'here, too'))
    expect(sentOn).toMatchObject({ state: 'queued' })
    const late = a.client.changeSession({ params: atA.params, body: { title: 'Nobody is there' } })
    await expect(late).rejects.toMatchObject({ code: 'unavailable' })
    expect(await atA.end(waits)).toMatchObject({ outcome: 'completed' })
    expect(await atA.end(sentOn)).toMatchObject({ outcome: 'completed' })
    expect(await atA.endOf(1)).toMatchObject({ outcome: 'interrupted', reason_code: 'server_restart' })
    expect(atA.watch.of('user_message').map(({ message_id }) => message_id)).toEqual([
      turn_id,
      waits.id,
      sentOn.id,
    ])
    const after = await running(atA)
    expect(after?.owner).not.toBe(before?.owner)
    expect(after?.epoch).toBe((before?.epoch ?? 0) + 1)
    expect(
      atA.watch.of('session_taken_over').filter(({ id }) => id.startsWith(`${after?.epoch}-`)),
    ).toHaveLength(1)
    expect(await running(atB)).toEqual(others)
    await lost.watch.close()
    // One that was only cut off does not take it back.
    stores.mend()
    expect(await atA.say(prompts.on(`more ${++runs}`, 'still here'))).toMatchObject({ outcome: 'completed' })
    expect(await running(atA)).toEqual(after)
  } finally {
    stores.mend()
    await c.close()
  }
})
