import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)
const runner = async () => rig.manager.own(await rig.record(), 'a test')

describe('a process that ends', () => {
  it('in a turn: the turn is interrupted, and the next message runs in a new process', async () => {
    const first = await rig.send('one')
    const second = await rig.send('two')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    process.exit('it crashed')
    expect(await endOf(first.id)).toMatchObject({
      outcome: 'interrupted',
      reason: 'it crashed',
      reason_code: 'process_ended',
    })
    const next = await rig.agent.process(2)
    expect((await next.message(1)).id).toBe(second.id)
    expect(process.sent).toHaveLength(1)
  })

  it('between sending and the turn: the transcript says what became of the message', async () => {
    const known = await rig.send('known')
    const process = await rig.agent.process(1)
    await process.message(1)
    rig.agent.inTranscript.add(known.id)
    process.exit('it crashed')
    expect(await endOf(known.id)).toMatchObject({ outcome: 'interrupted' })

    const unknown = await rig.send('unknown')
    const next = await rig.agent.process(2)
    await next.message(1)
    next.exit('it crashed')
    const end = await endOf(unknown.id)
    expect(end).toMatchObject({ outcome: 'unconfirmed' })
    expect(end.reason).toContain('it crashed')
    const published = rig.events.filter((event) => 'turn_id' in event && event.turn_id === unknown.id)
    expect(published.map(({ type }) => type)).toEqual(['turn_start', 'user_message', 'turn_end'])
  })

  it('takes no message while it ends: one that comes then waits for the next process', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    process.isClosed = true
    process.handlers.onExit({ wanted: false, error: 'it crashed' })
    const second = await rig.send('two')
    expect((await (await rig.agent.process(2)).message(1)).id).toBe(second.id)
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ state: 'running' })
    expect(process.sent).toHaveLength(1)
  })

  it('right after its start: the message is published as failed, and a person can start again', async () => {
    rig.agent.crash = 'it crashed'
    const first = await rig.send('one')
    const second = await rig.send('two')
    expect(await endOf(first.id)).toMatchObject({ outcome: 'failed' })
    expect(await rig.turn(second.id)).toMatchObject({ state: 'queued' })
    expect((await runner()).live).toBe(false)
    rig.agent.crash = undefined
    const before = rig.agent.processes.length
    await (await runner()).start()
    expect((await (await rig.agent.process(before + 1)).message(1)).id).toBe(second.id)
  })

  it('is given up after three crashes in a row; nothing is lost', async () => {
    const turns = []
    for (const text of ['one', 'two', 'three', 'four']) turns.push(await rig.send(text))
    for (const number of [1, 2, 3]) {
      const process = await rig.agent.process(number)
      const { id } = await process.message(1)
      process.begin(id)
      process.exit('it crashed')
      await endOf(id)
    }
    await rig.next('session_status', ({ live, state }) => !live && state === 'interrupted')
    expect(rig.agent.processes).toHaveLength(3)
    expect(await rig.turn(turns[3]?.id ?? '')).toMatchObject({ state: 'queued' })
  })

  it('that takes no message is ended, and the message is a person’s to decide', async () => {
    const process = await (async () => {
      await (await runner()).start()
      return rig.agent.process(1)
    })()
    process.refuses = new Error('the pipe is broken')
    const message = await rig.send('one')
    expect(await endOf(message.id)).toMatchObject({ outcome: 'unconfirmed' })
    expect(process.isClosed).toBe(true)
  })
})

describe('order', () => {
  it('a turn’s end is stored before it is published, and what follows is published after it', async () => {
    const { turns } = rig.coordination
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const end = turns.end.bind(turns)
    turns.end = async (...args) => {
      await held
      return end(...args)
    }
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.run(message.id)
    await process.handlers.onMessage({ type: 'unknown_thing', note: 'after the end' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(rig.of('turn_end')).toEqual([])
    expect(rig.of('cli_message')).toEqual([])
    release()
    await rig.next('cli_message')
    const types = rig.events.map(({ type }) => type)
    expect(types.indexOf('turn_end')).toBeLessThan(types.indexOf('cli_message'))
    expect(await rig.turn(message.id)).toMatchObject({ state: 'ended' })
  })

  it('an owner whose session was taken over ends its process and writes nothing more', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(message.id)
    await rig.next('turn_start')
    await rig.coordination.leases.inherit('node/none')
    const grant = await rig.coordination.leases.acquire(message.session_id, 'another/1', 60_000, 'taken over')
    process.end()
    await rig.agent.until(() => process.isClosed)
    expect(rig.of('turn_end')).toEqual([])
    expect(await rig.turn(message.id)).toMatchObject({ state: 'running' })
    expect(rig.manager.peek(message.session_id)).toBeUndefined()
    const [last] = await rig.coordination.events.readSession(
      message.session_id,
      { epoch: grant?.epoch ?? 0, seq: 1 },
      1,
    )
    expect(last).toBeUndefined()
  })
})

it('background work that ends without a turn is published, and leaves the session at rest', async () => {
  const message = await rig.send('one')
  const process = await rig.agent.process(1)
  await process.message(1)
  const tasks = (...ids: string[]) => {
    const list = ids.map((task_id) => ({ task_id }))
    return process.handlers.onMessage({ type: 'system', subtype: 'background_tasks_changed', tasks: list })
  }
  process.handlers.onStateChange('working')
  process.begin(message.id)
  await tasks('a')
  process.end()
  process.handlers.onStateChange('idle')
  await endOf(message.id)
  expect((await runner()).busy).toBe(true)
  await tasks()
  await (await runner()).events.flushed()
  expect((await runner()).busy).toBe(false)
  const published = rig.of('session_status').filter(({ background_tasks }) => background_tasks !== undefined)
  expect(published.at(-1)).toMatchObject({ state: 'idle', background_tasks: 0 })
  expect(published.some(({ background_tasks }) => background_tasks === 1)).toBe(true)
})
