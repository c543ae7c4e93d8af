/** What a restart leaves of everything, with the real CLI: after kill -9, and after an orderly stop. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseEventId } from '@dorkos/shared'
import { type ModelRequest, reply, text, toolUse } from '@dorkos/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { type SpawnedHost, spawnHost } from './support/spawn-host.ts'
import { Watch } from './support/start-host.ts'

let host: SpawnedHost
const watches: Watch[] = []
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.close()
  await host?.close()
})

/** A client that comes back soon. */
function follow(sessionId: string, lastEventId?: string): Watch {
  const { client } = host
  const soon = {
    ...client,
    followSession: (id: string, options: object) => client.followSession(id, { ...options, maxRetryMs: 200 }),
  }
  const watch = new Watch(soon, sessionId, lastEventId)
  watches.push(watch)
  return watch
}

const endOf = (watch: Watch, turnId: string) => watch.next('turn_end', (event) => event.turn_id === turnId)
const turnsOf = async (id: string) => (await host.client.listTurns({ params: { id } })).turns.toReversed()
const asked = (about: string) =>
  host.model.requests.filter((request) => request.kind === 'main' && request.lastUserText === about)

async function send(id: string, content: string): Promise<string> {
  return (await host.client.sendMessage({ params: { id }, body: { content } })).turn.id
}

/** The model runs the command that it is asked to run, and says `done: …` to everything else. */
const obeys = (request: ModelRequest) => {
  if (request.toolResults.length > 0) return reply([text('it ran')])
  const command = /^run (.*)$/.exec(request.lastUserText)?.[1]
  return command ? reply([toolUse('Bash', { command })]) : reply([text(`done: ${request.lastUserText}`)])
}

describe('after kill -9', { timeout: 90_000 }, () => {
  it('the turn is interrupted, its approval void, what was queued runs once, and the stream goes on without a gap', async () => {
    host = await spawnHost(obeys)
    const { session } = await host.client.createSession({ body: { content: 'hello' } })
    const { id } = session
    const watch = follow(id)
    await watch.next('turn_end')
    const cut = await send(id, 'run touch made.txt')
    const { approval } = await watch.next('approval_required')
    const queued = [await send(id, 'one'), await send(id, 'two')]
    await host.kill()
    await host.start()

    expect(await endOf(watch, cut)).toMatchObject({
      outcome: 'interrupted',
      reason: expect.stringContaining('server stopped'),
      reason_code: 'server_restart',
    })
    expect(await watch.next('approval_resolved')).toMatchObject({ approval_id: approval.id, state: 'void' })
    const record = await host.client.getApproval({ params: { id: approval.id } })
    expect(record).toMatchObject({
      state: 'void',
      message: expect.stringContaining('stopped'),
      decided_by: { kind: 'server' },
    })
    const answer = host.client.answerApproval({ params: { id: approval.id }, body: { decision: 'allow' } })
    await expect(answer).rejects.toMatchObject({ status: 409, code: 'already_answered' })

    for (const turnId of queued) expect(await endOf(watch, turnId)).toMatchObject({ outcome: 'completed' })
    expect((await turnsOf(id)).map(({ outcome }) => outcome)).toEqual([
      'completed',
      'interrupted',
      'completed',
      'completed',
    ])
    expect([asked('one').length, asked('two').length]).toEqual([1, 1])
    expect(existsSync(join(host.cwd, 'made.txt'))).toBe(false)
    expect((await host.client.listApprovals()).approvals).toEqual([])

    await expectGapFree(id, watch)
    expect(host.model.problems).toEqual([])
  })

  it('one request resumes a session that was cut off; nothing runs without a fresh answer', async () => {
    host = await spawnHost(obeys)
    const { session } = await host.client.createSession({ body: { content: 'run touch made.txt' } })
    const { id } = session
    const watch = follow(id)
    await watch.next('approval_required')
    await host.kill()
    await host.start()
    expect(await watch.next('turn_end')).toMatchObject({ outcome: 'interrupted' })
    const left = await host.client.getSession({ params: { id } })
    expect(left).toMatchObject({ state: 'interrupted', live: false, pending_approvals: 0 })
    expect(await host.client.listSessions({ query: {} })).toMatchObject({
      sessions: [{ id, state: 'interrupted' }],
    })

    const again = await send(id, 'run touch made.txt')
    const { approval } = await watch.next('approval_required', (event) => event.approval.turn_id === again)
    expect(existsSync(join(host.cwd, 'made.txt'))).toBe(false)
    await host.client.answerApproval({ params: { id: approval.id }, body: { decision: 'allow' } })
    expect(await endOf(watch, again)).toMatchObject({ outcome: 'completed' })
    expect(existsSync(join(host.cwd, 'made.txt'))).toBe(true)
    // The conversation before the crash is still the agent's.
    expect(JSON.stringify(asked('run touch made.txt').at(-1)?.messages)).toContain('touch made.txt')
  })

  it('no CLI and nothing that it started survives the next start', async () => {
    host = await spawnHost(obeys)
    const { session } = await host.client.createSession({
      body: { content: 'run sleep 987 & sleep 986', permission_mode: 'bypassPermissions' },
    })
    const watch = follow(session.id)
    await watch.next('tool_call_end')
    await host.model.waitForRequest(1)
    while (host.processes().length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    // The CLI dies in the same moment, so it cannot end what it started either.
    const clis = host.clis()
    for (const pid of clis) process.kill(pid, 'SIGSTOP')
    await host.kill()
    for (const pid of clis) process.kill(pid, 'SIGKILL')
    while (clis.some((pid) => host.processes().includes(pid))) await new Promise(setImmediate)
    expect(host.processes().length).toBeGreaterThan(0)
    await host.start()
    await watch.next('turn_end')
    expect(host.processes()).toEqual([])
    expect((await host.client.getSession({ params: { id: session.id } })).live).toBe(false)
  })

  it('a message that was sent and is not in the transcript asks; it runs or is dropped as a person says', async () => {
    host = await spawnHost(obeys, { crashAt: 'send' })
    const { id } = (await host.client.createSession({ body: {} })).session
    const lost = await send(id, 'one')
    const behind = await send(id, 'two').catch(() => undefined)
    await host.died()
    await host.start({ crashAt: 'send' })
    const [first] = await turnsOf(id)
    expect(first).toMatchObject({ id: lost, state: 'ended', outcome: 'unconfirmed' })
    if (behind) await host.died()
    else {
      await send(id, 'two').catch(() => undefined)
      await host.died()
    }
    await host.start()
    const watch = follow(id, '1-1')
    const [one, two] = await turnsOf(id)
    expect([one?.outcome, two?.outcome]).toEqual(['unconfirmed', 'unconfirmed'])
    expect(host.model.requests.filter(({ kind }) => kind === 'main')).toEqual([])

    const settle = (messageId: string, action: 'run' | 'drop') =>
      host.client.settleMessage({ params: { id, messageId }, body: { action } })
    await settle(two?.id ?? '', 'drop')
    await settle(lost, 'run')
    expect(await watch.next('turn_end', (event) => event.outcome === 'completed')).toMatchObject({
      turn_id: lost,
    })
    expect((await turnsOf(id)).map(({ outcome }) => outcome)).toEqual(['completed', 'withdrawn'])
    expect([asked('one').length, asked('two').length]).toEqual([1, 0])
    await expect(settle(lost, 'run')).rejects.toMatchObject({ status: 409, code: 'conflict' })
  })

  it('configuration, tokens, rules and costs are still there', async () => {
    host = await spawnHost(obeys)
    const { client } = host
    await client.changeConfig({ body: { set: { 'sessions.maxTurns': 17 } } })
    const { secret } = await client.createToken({ body: { name: 'phone', scopes: ['read'] } })
    const rule = await client.createRule({
      body: { effect: 'deny', tool: 'WebFetch', scope: { kind: 'everywhere' } },
    })
    const { session } = await client.createSession({ body: { content: 'hello' } })
    await follow(session.id).next('turn_end')
    const facts = async () => ({
      config: (await host.client.getConfig()).keys.find(({ path }) => path === 'sessions.maxTurns')?.value,
      rules: (await host.client.listRules({ query: {} })).rules,
      ledger: (await host.client.listLedger({ query: {} })).entries,
      audit: await host.client.verifyAudit(),
    })
    const before = await facts()
    expect(before).toMatchObject({
      config: 17,
      rules: [{ id: rule.id }],
      ledger: [{ session_id: session.id }],
      audit: { intact: true },
    })
    await host.kill()
    await host.start()
    const after = await facts()
    expect({ ...after, audit: after.audit.intact }).toEqual({ ...before, audit: true })
    const answer = await fetch(`${host.url}/api/auth/me`, { headers: { authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(200)
  })
})

describe('after an orderly stop', { timeout: 90_000 }, () => {
  it('a running turn ends first, the exit code is 0, no process is left, and what waited runs later', async () => {
    const slow = reply([text('slowly '.repeat(30))], { deltaDelayMs: 20, deltaSize: 7 })
    host = await spawnHost((request) => (request.lastUserText === 'slow' ? slow : obeys(request)))
    const { session } = await host.client.createSession({ body: { content: 'slow' } })
    const { id } = session
    const watch = follow(id)
    await watch.next('text_delta')
    const waiting = await send(id, 'later')
    expect(await host.stop()).toBe(0)
    expect(host.processes()).toEqual([])
    await host.start()
    expect((await watch.next('turn_end')).outcome).toBe('completed')
    expect(await endOf(watch, waiting)).toMatchObject({ outcome: 'completed' })
    expect(watch.text).toContain('slowly '.repeat(30).trim())
    expect(asked('later')).toHaveLength(1)
    await expectGapFree(id, watch)
  })
})

/** All that a client saw, over restarts, is what the log holds: dense within each epoch, epochs one after the other. */
async function expectGapFree(sessionId: string, watch: Watch): Promise<void> {
  const seen = watch.events.map(({ id }) => id)
  const [last = ''] = seen.slice(-1)
  const replay = follow(sessionId, '1-1')
  await replay.next(watch.events.at(-1)?.type ?? 'turn_end', ({ id }) => id === last)
  const ids = replay.events.map(({ id }) => id)
  const whole = ids.slice(0, ids.indexOf(last) + 1)
  expect(seen).toEqual(whole)
  const positions = ['1-1', ...whole].map((id) => parseEventId(id) ?? { epoch: 0, seq: 0 })
  for (const [index, { epoch, seq }] of positions.entries()) {
    const before = positions[index - 1]
    if (before)
      expect([
        { epoch: before.epoch, seq: before.seq + 1 },
        { epoch: before.epoch + 1, seq: 1 },
      ]).toContainEqual({ epoch, seq })
  }
  expect(positions.at(-1)?.epoch).toBeGreaterThan(1)
}
