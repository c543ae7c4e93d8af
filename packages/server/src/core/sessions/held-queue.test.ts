import { say } from '@dorkos/shared'
import { afterEach, expect, it } from 'vitest'
import { Gate } from '../../../test/support/gate.ts'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import type { SessionRunner } from './session-runner.ts'

let rig: SessionRig
afterEach(() => rig.manager.stop(0))

async function start(): Promise<{ id: string }> {
  rig = await createSessionRig()
  await rig.manager.start()
  return rig.record()
}

it('starts no process, whatever wakes the session, until it is released', async () => {
  const { id } = await start()
  await rig.coordination.turns.admit({
    id: 'bbbbbbbb-0000-4000-8000-000000000001',
    sessionId: id,
    cause: 'message',
    content: 'one',
    principal: 'owner',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  await rig.coordination.turns.hold(id)
  const runner = await rig.manager.own(await rig.record(), 'a test')
  runner.wake()
  await expect.poll(() => runner.busy).toBe(false)
  expect(rig.agent.processes).toEqual([])
  await rig.coordination.turns.release(id)
  runner.wake()
  expect(await (await rig.agent.process(1)).message(1)).toMatchObject({ content: 'one' })
})

it('is nothing to do after a crash: nobody owns the session', async () => {
  const { id } = await start()
  const first = await rig.send('one')
  const process = await rig.agent.process(1)
  await process.message(1)
  process.begin(first.id)
  await rig.send('two')
  await rig.coordination.turns.hold(id)
  const next = await rig.crash()
  await next.manager.start()
  expect(next.manager.peek(id)).toBeUndefined()
  expect(next.agent.processes).toEqual([])
  expect(await next.coordination.turns.queued(id)).toMatchObject([{ content: 'two', held: true }])
  await next.manager.stop(0)
})

it('keeps no idle process alive, and none is started for it when that has gone', async () => {
  const { id } = await start()
  const first = await rig.send('one')
  const process = await rig.agent.process(1)
  await process.message(1)
  process.begin(first.id)
  await rig.send('two')
  await rig.coordination.turns.hold(id)
  process.end('interrupted')
  await rig.next('turn_end')
  await expect.poll(() => rig.manager.peek(id)?.busy).toBe(false)
  rig.limits.idleMs = 0
  rig.clock.advance(60_000)
  await expect.poll(() => rig.manager.peek(id)).toBeUndefined()
  expect(rig.agent.processes).toHaveLength(1)
})

/** A session in a turn. */
async function working() {
  const { id } = await start()
  const first = await rig.send('one')
  const process = await rig.agent.process(1)
  await process.message(1)
  process.begin(first.id)
  const runner = rig.manager.peek(id)
  if (!runner) throw new Error('nobody runs the session')
  return { id, first, process, runner }
}

/** A session in a turn, with a message put into it that the CLI has not read. */
async function steeredInto() {
  const begun = await working()
  const steered = await rig.send('two', { delivery: 'steer' })
  await begun.process.message(2)
  return { ...begun, steered }
}

const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)

it('takes back a message that the CLI had not read when a person stopped it', async () => {
  const { id, process, steered } = await steeredInto()
  await rig.manager.peek(id)?.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  process.handlers.onMessageState(steered.id, 'cancelled')
  process.end('interrupted')
  await rig.next('queue_update', ({ queue }) => queue[0]?.held === true)
  expect(await rig.turn(steered.id)).toMatchObject({ state: 'ended', outcome: 'withdrawn' })
  expect(await rig.coordination.turns.queued(id)).toMatchObject([{ content: 'two', held: true }])
  expect(process.sent).toHaveLength(2)
})

it('takes it back also when the turn is stopped again, for another reason, before the CLI gives it up', async () => {
  const { id, process, runner, steered } = await steeredInto()
  await runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  await runner.interrupt(say('cli_words', { text: 'the budget is used up' }), 'session_budget')
  process.handlers.onMessageState(steered.id, 'cancelled')
  process.end('interrupted')
  await rig.next('queue_update', ({ queue }) => queue[0]?.held === true)
  expect(await rig.coordination.turns.queued(id)).toMatchObject([{ content: 'two', held: true }])
  expect(process.sent).toHaveLength(2)
})

it('does not take back what a program cancelled, whatever else stops the turn', async () => {
  const { id, process, runner, steered } = await steeredInto()
  await runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'cancel')
  await runner.interrupt(say('cli_words', { text: 'the budget is used up' }), 'session_budget')
  process.handlers.onMessageState(steered.id, 'cancelled')
  process.end('interrupted')
  expect(await endOf(steered.id)).toMatchObject({ outcome: 'withdrawn', reason: 'It was taken back.' })
  expect(await rig.coordination.turns.queued(id)).toEqual([])
})

it('is not held anew by what comes back after the next message was sent: both run', async () => {
  const { id, first, process, runner, steered } = await steeredInto()
  await runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  await rig.send('three')
  process.handlers.onMessageState(steered.id, 'cancelled')
  await endOf(steered.id)
  process.end('interrupted')
  await endOf(first.id)
  const again = await process.message(3)
  expect(again).toMatchObject({ content: 'two' })
  process.run(again.id)
  expect(await process.message(4)).toMatchObject({ content: 'three' })
  expect(await rig.coordination.turns.queued(id)).toEqual([])
})

it('runs what comes back when the CLI has nothing else to do by then', async () => {
  const { first, process, runner, steered } = await steeredInto()
  await runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  await rig.send('three')
  // The message that the CLI still has keeps the others from being handed over.
  process.end('interrupted')
  await endOf(first.id)
  expect(process.sent).toHaveLength(2)
  process.handlers.onMessageState(steered.id, 'cancelled')
  expect(await process.message(3)).toMatchObject({ content: 'two' })
})

/** What the CLI is asked to do, in this order. */
function callsOf(runner: SessionRunner): string[] {
  const calls: string[] = []
  const { agent } = runner
  const { send, interrupt } = agent
  agent.send = async (message, delivery) => {
    await send(message, delivery)
    calls.push(delivery)
  }
  agent.interrupt = async (options) => {
    calls.push('interrupt')
    return interrupt(options)
  }
  return calls
}

/** A session in a turn, and a message on its way into it, which arrives when the gate opens. */
async function steering() {
  const { id, process, runner } = await working()
  const calls = callsOf(runner)
  const gate = new Gate()
  process.held = gate.opened
  const steer = rig.send('two', { delivery: 'steer' })
  await expect
    .poll(async () => (await rig.coordination.turns.list(id, { limit: 1 }))[0])
    .toMatchObject({ content: 'two', state: 'running' })
  return { runner, calls, gate, steer }
}

it('waits for a message that is being put into the turn: it is stopped too', async () => {
  const { runner, calls, gate, steer } = await steering()
  const stop = runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  gate.open()
  await Promise.all([steer, stop])
  expect(calls).toEqual(['steer', 'interrupt'])
})

it('does not wait for ever for a message that the CLI never takes', async () => {
  const { runner, calls, gate, steer } = await steering()
  const stop = runner.interrupt(say('cli_words', { text: 'stopped' }), 'person', 'hold')
  rig.clock.advance(10_000)
  await stop
  expect(calls).toEqual(['interrupt'])
  gate.open()
  await steer
})
