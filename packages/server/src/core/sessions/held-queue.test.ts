import { afterEach, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

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

it('takes back a message that the CLI had not read when a person stopped it', async () => {
  const { id } = await start()
  const first = await rig.send('one')
  const process = await rig.agent.process(1)
  await process.message(1)
  process.begin(first.id)
  const steered = await rig.send('two', { delivery: 'steer' })
  await process.message(2)
  await rig.manager.peek(id)?.interrupt('stopped', 'person', 'hold')
  process.handlers.onMessageState(steered.id, 'cancelled')
  process.end('interrupted')
  await rig.next('queue_update', ({ queue }) => queue[0]?.held === true)
  expect(await rig.turn(steered.id)).toMatchObject({ state: 'ended', outcome: 'withdrawn' })
  expect(await rig.coordination.turns.queued(id)).toMatchObject([{ content: 'two', held: true }])
  expect(process.sent).toHaveLength(2)
})
