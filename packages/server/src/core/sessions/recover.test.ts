import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

let rig: SessionRig
let next: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => next.manager.stop(0))

/** The server is gone in this moment; another starts on what it left. */
async function restart(inTranscript: string[] = []): Promise<void> {
  next = await rig.crash()
  for (const id of inTranscript) next.agent.inTranscript.add(id)
  await next.manager.start()
}

async function log(sessionId: string) {
  return rig.coordination.events.readSession(sessionId, undefined, 1000)
}

describe('after a crash', () => {
  it('a turn that ran is published as interrupted, and never runs again', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(message.id)
    await rig.next('turn_start')
    await restart([message.id])
    expect(await next.turn(message.id)).toMatchObject({ state: 'ended', outcome: 'interrupted' })
    expect(next.of('turn_end')).toMatchObject([{ turn_id: message.id, outcome: 'interrupted' }])
    expect((await next.record()).state).toBe('interrupted')
    expect(next.agent.processes).toEqual([])
    const events = await log(message.session_id)
    expect(events.filter(({ type }) => type === 'turn_start')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'user_message')).toHaveLength(1)
    expect(events.map(({ id }) => id)).toContain('2-1')
  })

  it('queued messages run, each once and in order', async () => {
    const first = await rig.send('one')
    const second = await rig.send('two')
    const third = await rig.send('three')
    const before = await rig.agent.process(1)
    await before.message(1)
    before.begin(first.id)
    await restart([first.id])
    const process = await next.agent.process(1)
    expect((await process.message(1)).id).toBe(second.id)
    process.run(second.id)
    expect((await process.message(2)).id).toBe(third.id)
    process.run(third.id)
    await next.next('turn_end', ({ turn_id }) => turn_id === third.id)
    expect([...before.sent, ...process.sent].map(({ id }) => id)).toEqual([first.id, second.id, third.id])
  })

  it('a message that was claimed and not sent runs, before those behind it', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two')
    await rig.send('three')
    const { epoch } = (await rig.manager.own(await rig.record(), 'a test')).grant
    await rig.coordination.turns.claim(second.session_id, epoch)
    await restart([first.id])
    expect((await (await next.agent.process(1)).message(1)).id).toBe(second.id)
  })

  it.each(['run', 'drop'] as const)(
    'one that was sent and is not in the transcript asks; %s settles it',
    async (action) => {
      const message = await rig.send('one')
      await (await rig.agent.process(1)).message(1)
      await restart()
      expect(await next.turn(message.id)).toMatchObject({
        outcome: 'unconfirmed',
        reason: expect.stringContaining('may or may not have received'),
        reason_code: 'server_restart',
      })
      const published = next.events.filter((event) => 'turn_id' in event && event.turn_id === message.id)
      expect(published.map(({ type }) => type)).toEqual(['turn_start', 'user_message', 'turn_end'])
      expect(next.agent.processes).toEqual([])

      await next.coordination.turns.settle(message.session_id, message.id, action, new Date().toISOString())
      const runner = await next.manager.own(await next.record(), 'a test')
      runner.wake()
      if (action === 'run') {
        const process = await next.agent.process(1)
        expect((await process.message(1)).id).toBe(message.id)
        process.run(message.id)
        await next.next('turn_end', ({ outcome }) => outcome === 'completed')
      } else expect(await next.turn(message.id)).toMatchObject({ state: 'ended', outcome: 'withdrawn' })
    },
  )

  it('one that the running turn had taken in ends joined to it, and is not published twice', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two', { delivery: 'steer' })
    await process.message(2)
    process.handlers.onMessageState(second.id, 'started')
    await rig.next('user_message', ({ message_id }) => message_id === second.id)
    await restart([first.id, second.id])
    expect(await next.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
    const events = await log(first.session_id)
    expect(events.filter(({ type }) => type === 'user_message')).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(1)
  })

  it('a message that was taken back meanwhile does not hide the turn that ran', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two')
    await rig.coordination.turns.withdraw(second.session_id, second.id, '2026-01-01T00:00:00.000Z')
    rig.manager
      .peek(second.session_id)
      ?.events.emit({ type: 'turn_end', turn_id: second.id, outcome: 'withdrawn' })
    await rig.next('turn_end')
    await restart([first.id])
    expect(next.of('turn_end')).toMatchObject([{ turn_id: first.id, outcome: 'interrupted' }])
    expect(next.of('turn_start')).toEqual([])
  })

  it('two crashes in a row, the second before the session was opened: its end is published all the same', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(message.id)
    await rig.next('turn_start')
    const { epoch } = (await rig.manager.own(await rig.record(), 'a test')).grant
    const end = { outcome: 'interrupted' as const, endedAt: '2026-01-01T00:00:00.000Z' }
    await rig.coordination.turns.end(message.session_id, epoch, message.id, end)
    await rig.coordination.leases.inherit('node/died right after its start')
    await restart()
    expect(next.of('turn_end')).toMatchObject([{ turn_id: message.id, outcome: 'interrupted' }])
  })

  it('a message that was settled twice is published twice', async () => {
    const message = await rig.send('one')
    await (await rig.agent.process(1)).message(1)
    await restart()
    await next.coordination.turns.settle(message.session_id, message.id, 'run', '2026-01-01T00:00:00.000Z')
    ;(await next.manager.own(await next.record(), 'a test')).wake()
    await (await next.agent.process(1)).message(1)
    rig = next
    await restart()
    const events = await log(message.session_id)
    expect(events.filter(({ type }) => type === 'turn_start')).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'turn_end')).toHaveLength(2)
  })

  it('an end that was stored and not published is published', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(message.id)
    await rig.next('turn_start')
    const { epoch } = (await rig.manager.own(await rig.record(), 'a test')).grant
    const end = { outcome: 'completed' as const, endedAt: '2026-01-01T00:00:00.000Z' }
    await rig.coordination.turns.end(message.session_id, epoch, message.id, end)
    await restart()
    expect(next.of('turn_end')).toMatchObject([{ turn_id: message.id, outcome: 'completed' }])
  })

  it('nothing is owned before all is recovered: a message of that time waits, and runs once', async () => {
    const first = await rig.send('one')
    await (await rig.agent.process(1)).message(1)
    next = await rig.crash()
    let release = () => {}
    next.agent.sweep = () =>
      new Promise<number>((resolve) => {
        release = () => resolve(1)
      })
    const starting = next.manager.start()
    const other = 'bbbbbbbb-0000-4000-8000-000000000002'
    const sending = next.send('two', { id: other })
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(next.agent.processes).toEqual([])
    release()
    await starting
    const second = await sending
    const process = await next.agent.process(1)
    expect((await process.message(1)).id).toBe(second.id)
    process.run(second.id)
    expect(await next.next('turn_end', ({ turn_id }) => turn_id === second.id)).toMatchObject({
      outcome: 'completed',
    })
    expect(await next.turn(first.id)).toMatchObject({ outcome: 'unconfirmed' })
    expect(process.sent).toHaveLength(1)
  })
})
