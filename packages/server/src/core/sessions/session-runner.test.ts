import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)

describe('messages', () => {
  it('run one after the other, each told from begin to end', async () => {
    const first = await rig.send('one')
    const second = await rig.send('two')
    const process = await rig.agent.process(1)
    expect((await process.message(1)).id).toBe(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ state: 'queued' })
    process.run(first.id)
    expect((await process.message(2)).id).toBe(second.id)
    process.run(second.id)
    await endOf(second.id)
    const told = rig.events.filter(({ type }) => ['turn_start', 'user_message', 'turn_end'].includes(type))
    expect(told.map((event) => [event.type, 'turn_id' in event && event.turn_id])).toEqual(
      [first, second].flatMap(({ id }) => [
        ['turn_start', id],
        ['user_message', id],
        ['turn_end', id],
      ]),
    )
    expect(rig.agent.processes).toHaveLength(1)
  })

  it('a background turn that begins while a message is sent leaves the message its own turn', async () => {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin()
    process.end()
    process.run(message.id)
    await endOf(message.id)
    const causes = rig.of('turn_start').map(({ cause }) => cause)
    expect(causes).toEqual(['background', 'message'])
    const background = rig.of('turn_start')[0]?.turn_id ?? ''
    expect(await rig.turn(background)).toMatchObject({ cause: 'background', state: 'ended' })
    expect(await rig.turn(message.id)).toMatchObject({ state: 'ended', outcome: 'completed' })
  })

  it('one that a running turn takes in is told once, and ends joined to it', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin(first.id)
    const second = await rig.send('two', { delivery: 'steer' })
    expect(await process.message(2)).toMatchObject({ id: second.id, delivery: 'steer' })
    process.handlers.onMessageState(second.id, 'started')
    process.end()
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
    expect(rig.of('user_message').map(({ message_id, turn_id }) => [message_id, turn_id])).toEqual([
      [first.id, first.id],
      [second.id, first.id],
    ])
    expect(rig.of('turn_end')).toHaveLength(1)
  })

  it('two that the CLI folds into one turn end as one', async () => {
    const first = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.begin()
    const second = await rig.send('two', { delivery: 'steer' })
    await process.message(2)
    process.end()
    process.begin(first.id, second.id)
    process.end()
    await endOf(first.id)
    expect(await rig.turn(second.id)).toMatchObject({ outcome: 'joined', joined_turn: first.id })
  })

  it.each(['cancelled', 'ignored'] as const)(
    'one that the CLI reports as %s ends, and the next runs',
    async (state) => {
      const first = await rig.send('one')
      const second = await rig.send('two')
      const process = await rig.agent.process(1)
      await process.message(1)
      process.handlers.onMessageState(first.id, state)
      await endOf(first.id)
      expect(await rig.turn(first.id)).toMatchObject({ outcome: 'withdrawn', reason: expect.any(String) })
      expect((await process.message(2)).id).toBe(second.id)
    },
  )
})
