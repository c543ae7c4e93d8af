import { afterEach, beforeEach, expect, it } from 'vitest'
import { owner } from '../../../test/support/actors.ts'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import { createSessionService } from '../../../test/support/session-service.ts'
import type { Actor } from '../actor.ts'
import type { SessionHistory } from './session-history.ts'
import type { Sessions } from './session-service.ts'

const actor = owner()
const forkId = 'cccccccc-0000-4000-8000-000000000001'

let rig: SessionRig
let inUse: boolean
let deleted: string[]
let sessions: Sessions
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
  inUse = false
  deleted = []
  sessions = createSessionService(rig, {
    history: { forkPoint: async () => ({ sessionId: forkId }) } as unknown as SessionHistory,
    inUseElsewhere: async () => inUse,
    deleted: (id) => void deleted.push(id),
  })
})
afterEach(() => rig.manager.stop(0))

it('leaves nothing of a fork whose process does not start', async () => {
  const source = await rig.record()
  rig.agent.crash = 'it crashed'
  await expect(sessions.fork(actor, source.id, { before: false })).rejects.toMatchObject({
    code: 'agent_failed',
  })
  const fork = deleted[0] ?? ''
  expect(rig.of('session_taken_over', fork)).not.toEqual([])
  expect(await rig.coordination.events.readSession(fork, undefined, 1)).toEqual([])
  expect(await rig.coordination.turns.list(fork, { limit: 9 })).toEqual([])
  expect((await rig.sessions.list({ principal: null, limit: 9 })).map(({ id }) => id)).toEqual([source.id])
  expect(rig.manager.peek(fork)).toBeUndefined()
})

/** One message waits that a stop holds, and before it one that it does not: it was on its way then, and was put back. */
async function partlyHeld() {
  const record = await rig.record()
  const { turns } = rig.coordination
  const { grant } = await rig.manager.own(record, 'a test')
  const admit = async (content: string) => {
    const { turn } = await turns.admit({
      id: crypto.randomUUID(),
      sessionId: record.id,
      cause: 'message',
      content,
      principal: 'owner',
      createdAt: record.createdAt,
    })
    return turn.id
  }
  const free = await admit('free')
  await turns.claim(record.id, grant.epoch)
  const held = await admit('held')
  await turns.hold(record.id)
  await turns.unclaim(record.id, grant.epoch, free)
  return { id: record.id, held }
}

it('runs what waited behind a held message when that is taken back', async () => {
  const { id, held } = await partlyHeld()
  expect(rig.agent.processes).toEqual([])
  await sessions.withdrawMessage(actor, id, held)
  expect(await (await rig.agent.process(1)).message(1)).toMatchObject({ content: 'free' })
})

it('starts no process for it while a terminal has the session', async () => {
  const { id, held } = await partlyHeld()
  inUse = true
  await sessions.withdrawMessage(actor, id, held)
  await expect.poll(() => rig.manager.peek(id)?.busy).toBe(false)
  expect(rig.agent.processes).toEqual([])
})

it('a turn has the cause of whoever sent it: a schedule’s is a schedule’s, in its record and in what is published', async () => {
  const { id } = await rig.record()
  const causes = new Map<string, string>()
  const send = async (by: Actor) => (await sessions.send(by, id, { content: 'go', delivery: 'queue' })).turn
  for (const by of [actor, { ...actor, via: { kind: 'schedule', id: 'nightly' } } as const]) {
    const turn = await send(by)
    const process = await rig.agent.process(1)
    await process.message(causes.size + 1)
    process.run(turn.id)
    const { cause } = await rig.next('turn_start', ({ turn_id }) => turn_id === turn.id)
    await rig.next('turn_end', ({ turn_id }) => turn_id === turn.id)
    expect(await rig.turn(turn.id)).toMatchObject({ cause, principal: 'owner' })
    causes.set(by.via.kind, cause)
  }
  expect([...causes]).toEqual([
    ['token', 'message'],
    ['schedule', 'schedule'],
  ])
})

it('what the core begins for a run says so itself', async () => {
  const record = await rig.record()
  const options = { principal: 'owner', delivery: 'queue', cause: 'run' } as const
  expect(await rig.manager.sendMessage(record, 'go', options)).toMatchObject({ cause: 'run' })
})
