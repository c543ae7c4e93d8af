import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'
import { findContradiction, findPending, type SessionView } from './watchdog.ts'

const turn = {
  id: 't',
  session_id: 's',
  cause: 'message',
  state: 'queued',
  principal: 'owner',
  created_at: '',
} as const
const atRest: SessionView = {
  state: 'idle',
  moving: undefined,
  takesMessages: true,
  isAsked: false,
  process: { isIdle: true, isInTurn: false, turns: [] },
  queue: [],
  open: [],
  emitted: 7,
}

const inTurn = { isIdle: false, isInTurn: true, turns: ['t'] }
const atWork = { state: 'working', process: inTurn } as const

describe('what contradicts itself', () => {
  const cases: [string, Partial<SessionView>, string | undefined][] = [
    ['rest', {}, undefined],
    ['rest without a process', { process: undefined }, undefined],
    ['work', { ...atWork, open: [turn], queue: [turn] }, undefined],
    ['a turn of an idle agent', { process: { ...inTurn, isIdle: true } }, 'turn_in_idle_agent'],
    ['work that waits for a person', { ...atWork, state: 'waiting' }, undefined],
    ['work that a person holds', { ...atWork, state: 'paused', takesMessages: false }, undefined],
    ['work in a state of rest', { ...atWork, state: 'idle', open: [turn] }, 'work_without_state'],
    ['work in a state of failure', { ...atWork, state: 'failed' }, 'work_without_state'],
    ['a message that is to begin', { process: { ...inTurn, isInTurn: false } }, undefined],
    ['a stored turn that nobody has', { open: [turn] }, 'turn_without_process'],
    ['a stored turn without a process', { open: [turn], process: undefined }, 'turn_without_process'],
    ['messages that nobody hands over', { queue: [turn] }, 'queue_asleep'],
    ['messages that are held', { queue: [{ ...turn, held: true }] }, undefined],
    ['messages of a paused session', { queue: [turn], takesMessages: false }, undefined],
    ['a state of work', { state: 'working' }, 'state_without_work'],
    ['a state of waiting', { state: 'waiting', process: undefined }, 'state_without_work'],
    ['a question of a server', { state: 'waiting', isAsked: true }, undefined],
  ]
  it.each(cases)('%s', (_name, change, kind) => {
    expect(findContradiction({ ...atRest, ...change })?.kind).toBe(kind)
    expect(findContradiction({ ...atRest, ...change, moving: 'storing' })).toBeUndefined()
  })
})

describe('what is pending', () => {
  const given = { process: { ...inTurn, isInTurn: false } }
  const cases: [string, Partial<SessionView>, string | undefined][] = [
    ['a message that is to begin', given, 'beginning'],
    ['a message of an agent that works and has no turn', { ...given, state: 'working' }, 'beginning'],
    ['a message while a person is asked', { ...given, state: 'waiting' }, undefined],
    ['a message of a paused session', { ...given, state: 'paused' }, undefined],
    ['work', atWork, undefined],
    ['work of the agent’s own', { process: { ...inTurn, isInTurn: false, turns: [] } }, undefined],
    ['rest', {}, undefined],
    ['what is on its way', { ...given, moving: 'storing' }, 'storing'],
    ['a place in line', { moving: 'in_line' }, undefined],
  ]
  it.each(cases)('%s', (_name, change, kind) => {
    expect(findPending({ ...atRest, ...change })?.kind).toBe(kind)
  })
})

describe('the watchdog', () => {
  let rig: SessionRig
  beforeEach(async () => {
    rig = await createSessionRig()
    await rig.manager.start()
  })
  afterEach(() => rig.manager.stop(0))

  const endOf = (turnId: string) => rig.next('turn_end', ({ turn_id }) => turn_id === turnId)
  const notices = () => rig.of('notice').map(({ code }) => code)
  async function pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      rig.clock.advance(5000)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  /** A session in a turn. */
  async function working() {
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await process.message(1)
    process.handlers.onStateChange('working')
    process.begin(message.id)
    return { message, process }
  }

  it('ends a turn whose end an idle agent never reported, and the next message runs', async () => {
    const { message, process } = await working()
    const next = await rig.send('two')
    process.handlers.onStateChange('idle')
    await pass(15)
    expect(notices()).toEqual([])
    await pass(10)
    expect(await endOf(message.id)).toMatchObject({ outcome: 'interrupted', reason_code: 'process_ended' })
    expect((await (await rig.agent.process(2)).message(1)).id).toBe(next.id)
    expect(notices()).toEqual(['repaired'])
    expect(rig.faults).toEqual(['a session contradicted itself and is repaired'])
  })

  it('leaves a session alone that works, however long', async () => {
    const { message, process } = await working()
    await rig.send('two')
    await pass(600)
    expect(notices()).toEqual([])
    process.end()
    await endOf(message.id)
  })

  it('wakes messages that wait because the queue could not be read', async () => {
    const { turns } = rig.coordination
    const { claim } = turns
    turns.claim = async () => {
      turns.claim = claim
      throw new Error('the queue cannot be read')
    }
    const message = await rig.send('one')
    const process = await rig.agent.process(1)
    await pass(30)
    expect((await process.message(1)).id).toBe(message.id)
    expect(notices()).toEqual(['repaired'])
  })

  it('ends a stored turn whose end could not be stored', async () => {
    const { message, process } = await working()
    const { turns } = rig.coordination
    const { end } = turns
    turns.end = async () => {
      turns.end = end
      throw new Error('the end cannot be stored')
    }
    process.end()
    process.handlers.onStateChange('idle')
    await pass(30)
    await endOf(message.id)
    expect(await rig.turn(message.id)).toMatchObject({ state: 'ended', outcome: 'unconfirmed' })
    expect(notices()).toEqual(['repaired'])
  })

  it('corrects a state that nothing bears out', async () => {
    const { message, process } = await working()
    process.end()
    await endOf(message.id)
    process.handlers.onStateChange('idle')
    const runner = rig.manager.peek(message.session_id)
    runner?.status.set('working')
    await pass(30)
    expect(runner?.state).toBe('idle')
    expect(notices()).toEqual(['repaired'])
  })

  it('shows a session at work again whose agent works', async () => {
    const { message, process } = await working()
    const runner = rig.manager.peek(message.session_id)
    runner?.status.set('idle')
    await pass(15)
    expect(runner?.state).toBe('idle')
    await pass(10)
    expect(runner?.state).toBe('working')
    expect(notices()).toEqual(['repaired'])
    process.end()
    await endOf(message.id)
  })

  describe('of what is on its way', () => {
    const stuck = () => rig.of('notice').filter(({ code }) => code === 'stuck')

    it('reports a message that does not arrive, once, and leaves it alone', async () => {
      await rig.send('zero')
      const process = await rig.agent.process(1)
      process.run((await process.message(1)).id)
      let arrive = () => {}
      process.held = new Promise((resolve) => {
        arrive = resolve
      })
      const message = await rig.send('one')
      await pass(175)
      expect(stuck()).toEqual([])
      await pass(300)
      expect(stuck()).toMatchObject([
        { level: 'warning', message: expect.stringContaining('handing a message') },
      ])
      expect(rig.faults).toEqual(['a session does not move on'])
      arrive()
      await process.message(2)
      process.run(message.id)
      expect(await endOf(message.id)).toMatchObject({ outcome: 'completed' })
      expect(rig.agent.processes).toHaveLength(1)
    })

    it('reports a message that the agent has and does not begin, once', async () => {
      const message = await rig.send('one')
      const process = await rig.agent.process(1)
      await process.message(1)
      process.handlers.onStateChange('working')
      await pass(175)
      expect(stuck()).toEqual([])
      await pass(300)
      expect(stuck()).toMatchObject([
        { level: 'warning', message: expect.stringContaining('without starting on the message') },
      ])
      process.run(message.id)
      expect(await endOf(message.id)).toMatchObject({ outcome: 'completed' })
      process.handlers.onStateChange('idle')
      await pass(600)
      expect(notices()).toEqual(['stuck'])
    })

    it('reports a process that does not start', async () => {
      let giveUp = (_error: Error) => {}
      rig.agent.open = () =>
        new Promise((_resolve, reject) => {
          giveUp = reject
        })
      const message = await rig.send('one')
      await pass(200)
      expect(stuck()).toMatchObject([{ message: expect.stringContaining('starting') }])
      giveUp(new Error('no answer'))
      expect(await endOf(message.id)).toMatchObject({ outcome: 'failed' })
    })

    it('says nothing of who waits in line for a process', async () => {
      rig.limits.maxLive = 1
      await working()
      await rig.send('two', { id: 'aaaaaaaa-0000-4000-8000-000000000002' })
      await pass(600)
      expect(notices()).toEqual(['waiting_for_slot'])
    })
  })
})
