import { say } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionRig, type SessionRig } from '../../../test/support/session-rig.ts'

const ids = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
const [one = '', two = '', three = ''] = ids

let rig: SessionRig
beforeEach(async () => {
  rig = await createSessionRig()
  await rig.manager.start()
})
afterEach(() => rig.manager.stop(0))

const processOf = async (id: string) => {
  await rig.agent.until(() => rig.agent.processes.some(({ spec }) => spec.sessionId === id))
  return rig.agent.processes.findLast(({ spec }) => spec.sessionId === id) as (typeof rig.agent.processes)[0]
}
/** Sends a message and runs it; the process is idle afterwards. */
async function runOne(id: string) {
  const turn = await rig.send('hello', { id })
  const process = await processOf(id)
  await process.message(process.sent.length || 1)
  process.run(turn.id)
  await rig.next('turn_end', ({ turn_id }) => turn_id === turn.id)
  await rig.agent.until(() => rig.manager.peek(id)?.busy === false)
  return process
}

describe('places', () => {
  it('the least recently used idle process makes room for a new one', async () => {
    rig.limits.maxLive = 2
    const first = await runOne(one)
    rig.clock.advance(10)
    const second = await runOne(two)
    const third = await runOne(three)
    expect([first.isClosed, second.isClosed, third.isClosed]).toEqual([true, false, false])
    expect(rig.of('notice', three).map(({ code }) => code)).toEqual(['waiting_for_slot'])
  })

  it('a session that waits is served as soon as another is idle, and a busy one is never ended for it', async () => {
    rig.limits.maxLive = 1
    const turn = await rig.send('long', { id: one })
    const first = await processOf(one)
    await first.message(1)
    first.begin(turn.id)
    const waiting = await rig.send('hello', { id: two })
    await rig.next('notice', ({ session }) => session === two)
    expect(first.isClosed).toBe(false)
    first.end()
    expect((await (await processOf(two)).message(1)).id).toBe(waiting.id)
    expect(first.isClosed).toBe(true)
  })

  it('one that waits can be let go of, without waiting for a place', async () => {
    rig.limits.maxLive = 1
    const turn = await rig.send('long', { id: one })
    const first = await processOf(one)
    await first.message(1)
    first.begin(turn.id)
    const waiting = await rig.send('hello', { id: two })
    await rig.next('notice', ({ session }) => session === two)
    await rig.manager.letGo(two, say('cli_words', { text: 'a test' }))
    expect(await rig.turn(waiting.id, two)).toMatchObject({ state: 'queued' })
    first.end()
    const third = await rig.send('hello', { id: three })
    expect((await (await processOf(three)).message(1)).id).toBe(third.id)
  })

  it('a process that idles too long is ended, and the next message resumes', async () => {
    const first = await runOne(one)
    rig.clock.advance(rig.limits.idleMs + 20_000)
    await rig.agent.until(() => first.isClosed)
    const turn = await rig.send('again', { id: one })
    await rig.agent.until(() => rig.agent.processes.length === 2)
    expect((await (await processOf(one)).message(1)).id).toBe(turn.id)
  })
})

describe('letting go', () => {
  it('a message that comes while the process ends runs in the next one', async () => {
    const first = await runOne(one)
    let release = () => {}
    const slow = new Promise<void>((resolve) => {
      release = resolve
    })
    const exit = first.exit.bind(first)
    first.exit = () => void slow.then(() => exit())
    const going = rig.manager.letGo(one, say('cli_words', { text: 'a test' }))
    const sending = rig.send('in between', { id: one })
    release()
    await going
    const turn = await sending
    const second = await rig.agent.process(2)
    expect((await second.message(1)).id).toBe(turn.id)
    second.run(turn.id)
    await rig.next('turn_end', ({ turn_id }) => turn_id === turn.id)
    expect(first.sent.map(({ id }) => id)).not.toContain(turn.id)
  })

  it('a message that is on its way arrives before the process is ended', async () => {
    const first = await runOne(one)
    let release = () => {}
    first.held = new Promise((resolve) => {
      release = resolve
    })
    const turn = await rig.send('on its way', { id: one })
    rig.agent.inTranscript.add(turn.id)
    const going = rig.manager.letGo(one, say('cli_words', { text: 'a test' }))
    release()
    await going
    expect(first.sent.at(-1)?.id).toBe(turn.id)
    expect(await rig.turn(turn.id, one)).toMatchObject({ outcome: 'interrupted', reason: 'a test' })
  })
})

describe('stopping', () => {
  it('lets the running turn end, and leaves what waits for the next start', async () => {
    const first = await rig.send('one', { id: one })
    const second = await rig.send('two', { id: one })
    const process = await processOf(one)
    await process.message(1)
    process.begin(first.id)
    const stopping = rig.manager.stop(1000)
    await expect(rig.send('three', { id: one })).rejects.toMatchObject({ code: 'unavailable' })
    expect(process.isClosed).toBe(false)
    process.end()
    await rig.next('turn_end')
    rig.clock.advance(100)
    await stopping
    expect(process.isClosed).toBe(true)
    expect(await rig.turn(first.id, one)).toMatchObject({ outcome: 'completed' })
    expect(await rig.turn(second.id, one)).toMatchObject({ state: 'queued' })
    expect(process.sent).toHaveLength(1)
  })

  it('interrupts what is not over in time', async () => {
    const first = await rig.send('one', { id: one })
    const process = await processOf(one)
    await process.message(1)
    process.begin(first.id)
    const stopping = rig.manager.stop(100)
    for (let count = 0; count < 4; count++) {
      rig.clock.advance(50)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await stopping
    expect(await rig.turn(first.id, one)).toMatchObject({
      outcome: 'interrupted',
      reason: 'The server stopped.',
    })
  })
})
