/** Stop means stop: what waits is held until a person says otherwise. Over HTTP, with the real CLI. */
import type { Turn } from '@dorkos/shared'
import { hang, reply, text } from '@dorkos/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Conversation } from './support/conversation.ts'
import { Gate } from './support/gate.ts'
import { Prompts } from './support/prompts.ts'
import { type SpawnedHost, spawnHost } from './support/spawn-host.ts'
import { type Host, startHost } from './support/start-host.ts'

const talks = () => hang({ afterDeltas: 3 })

describe('a stop while messages wait', () => {
  const prompts = new Prompts()
  let host: Host
  let session: Conversation
  beforeAll(async () => {
    host = await startHost(prompts.script)
  })
  afterEach(() => session?.close())
  afterAll(() => host?.close())

  const asked = () =>
    host.model.requests
      .filter(({ kind, sessionId }) => kind === 'main' && sessionId === session.id)
      // The CLI reports the interruption to the model along with what comes next.
      .map(({ lastUserText }) => lastUserText.split('\n').at(-1))
  const queue = () => session.watch.of('queue_update').at(-1)?.queue ?? []
  const contents = () => queue().map(({ content }) => content)
  const at = (messageId: string) => ({ params: { ...session.params, messageId } })

  /** A session that was stopped in a turn while these waited. */
  async function stopped(...waiting: string[]) {
    session = await Conversation.open(host)
    const turn = await session.send(prompts.on('talk', talks()))
    await session.watch.next('text_delta')
    const turns: Turn[] = []
    for (const prompt of waiting) turns.push(await session.send(prompts.on(prompt, `did ${prompt}`)))
    const answer = await host.client.interruptSession({ params: session.params, body: {} })
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted', reason_code: 'person' })
    return { turns, answer, id: (place: number) => turns[place]?.id ?? '' }
  }

  it('runs none of them; they are moved, changed and taken back, and run when they are released', async () => {
    const { answer, id } = await stopped('one', 'two', 'three', 'four')
    expect(answer).toMatchObject({ queued_messages: 4, queue_held: true })
    const next = host.model.waitForRequest(
      ({ sessionId, lastUserText }) => sessionId === session.id && lastUserText !== 'talk',
      { timeoutMs: 2000 },
    )
    await expect(next).rejects.toThrow('No such model request')
    expect(await session.session()).toMatchObject({ state: 'interrupted', live: true, queued_messages: 4 })
    expect(queue().map(({ held }) => held)).toEqual([true, true, true, true])

    await host.client.moveMessage({ ...at(id(2)), body: { before: id(0) } })
    await host.client.moveMessage({ ...at(id(2)), body: { before: id(0) } })
    await host.client.moveMessage({ ...at(id(0)), body: { before: null } })
    await host.client.editMessage({ ...at(id(1)), body: { content: prompts.on('2', 'did 2') } })
    await host.client.withdrawMessage(at(id(3)))
    await session.end({ id: id(3) })
    await expect.poll(contents).toEqual(['three', '2', 'one'])
    expect(await session.session()).toMatchObject({ queued_messages: 3, queue_held: true })
    expect(asked()).toEqual(['talk'])

    const released = await host.client.releaseQueue({ params: session.params, body: {} })
    expect(released.queue_held).toBeUndefined()
    await session.end({ id: id(0) })
    expect(asked()).toEqual(['talk', 'three', '2', 'one'])
    // Nothing to release is no error.
    await host.client.releaseQueue({ params: session.params, body: {} })
  })

  it('is over with the next message, which comes last', async () => {
    const { turns } = await stopped('one', 'two')
    const last = await session.send(prompts.on('go on', 'went on'))
    expect(await session.end(last)).toMatchObject({ outcome: 'completed' })
    for (const turn of turns) expect(await session.turn(turn.id)).toMatchObject({ outcome: 'completed' })
    expect(asked()).toEqual(['talk', 'one', 'two', 'go on'])
  })

  it('also brings back what was put into the turn and not read yet', async () => {
    session = await Conversation.open(host)
    const turn = await session.send(prompts.on('talk', talks()))
    await session.watch.next('text_delta')
    const waiting = await session.send(prompts.on('later', 'did it later'))
    const steered = await session.send(prompts.on('mind this', 'minded'), 'steer')
    await host.client.interruptSession({ params: session.params, body: {} })
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
    expect(await session.end(steered)).toMatchObject({
      outcome: 'withdrawn',
      reason: expect.stringContaining('waits again'),
    })
    await session.watch.next(
      'queue_update',
      (event) => event.queue.length === 2 && event.queue[0]?.held === true,
    )
    expect(contents()).toEqual(['mind this', 'later'])
    expect(queue()[0]?.id).not.toBe(steered.id)
    expect(asked()).toEqual(['talk'])
    await host.client.releaseQueue({ params: session.params, body: {} })
    expect(await session.end(waiting)).toMatchObject({ outcome: 'completed' })
    expect(asked()).toEqual(['talk', 'mind this', 'later'])
  })

  it('ends with what was put into the turn taken back, where a program cancels what waits', async () => {
    session = await Conversation.open(host)
    const turn = await session.send(prompts.on('talk', talks()))
    await session.watch.next('text_delta')
    const steered = await session.send('never read', 'steer')
    await host.client.interruptSession({ params: session.params, body: { cancel_queued: true } })
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
    expect(await session.end(steered)).toMatchObject({ outcome: 'withdrawn' })
    expect(await session.say(prompts.on('and now', 'this'))).toMatchObject({ outcome: 'completed' })
    expect(asked()).toEqual(['talk', 'and now'])
  })

  it('holds as well when the process is ended, and is published to whoever follows', async () => {
    session = await Conversation.open(host)
    const turn = await session.send(prompts.on('talk', talks()))
    await session.watch.next('text_delta')
    const waiting = await session.send(prompts.on('wait', 'waited'))
    expect(await host.client.stopSession({ params: session.params, body: {} })).toMatchObject({
      live: false,
      queued_messages: 1,
      queue_held: true,
    })
    expect(await session.end(turn)).toMatchObject({ outcome: 'interrupted' })
    expect(queue()).toMatchObject([{ id: waiting.id, held: true }])
    await host.client.startSession({ params: session.params, body: {} })
    expect(await session.session()).toMatchObject({ live: true, queued_messages: 1, queue_held: true })
    await host.client.releaseQueue({ params: session.params, body: {} })
    expect(await session.end(waiting)).toMatchObject({ outcome: 'completed' })
  })
})

describe('a message that has begun', () => {
  it('cannot be moved, and nothing goes before it', async () => {
    const prompts = new Prompts()
    const gate = new Gate()
    const host = await startHost(prompts.script)
    try {
      const session = await Conversation.open(host)
      const first = await session.send(
        prompts.on('first', async () => {
          await gate.opened
          return 'done'
        }),
      )
      await session.watch.next('turn_start')
      const second = await session.send(prompts.on('second', 'done too'))
      const move = (messageId: string, before: string | null) =>
        host.client.moveMessage({ params: { ...session.params, messageId }, body: { before } })
      await expect(move(first.id, null)).rejects.toMatchObject({
        status: 409,
        code: 'conflict',
        message: expect.stringContaining('no longer queued'),
      })
      await expect(move(second.id, first.id)).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('would go before'),
      })
      gate.open()
      expect(await session.end(second)).toMatchObject({ outcome: 'completed' })
      await session.close()
    } finally {
      await host.close()
    }
  })
})

describe('after a restart', { timeout: 90_000 }, () => {
  let host: SpawnedHost
  afterEach(() => host?.close())

  it('a held queue is held still: nothing starts, and each runs once when it is released', async () => {
    host = await spawnHost((request) =>
      request.lastUserText === 'talk'
        ? hang({ afterDeltas: 3 })
        : reply([text(`did ${request.lastUserText}`)]),
    )
    const { session } = await host.client.createSession({ body: { content: 'talk' } })
    const params = { id: session.id }
    const before = new Conversation(host, session.id)
    await before.watch.next('text_delta')
    const one = await before.send('one')
    const two = await before.send('two')
    await host.client.interruptSession({ params, body: {} })
    await before.watch.next('turn_end')
    await before.watch.close()
    await host.kill()
    await host.start()

    const held = { live: false, queued_messages: 2, queue_held: true }
    expect(await host.client.getSession({ params })).toMatchObject(held)
    const after = new Conversation(host, session.id)
    await host.client.moveMessage({ params: { ...params, messageId: two.id }, body: { before: one.id } })
    const update = await after.watch.next('queue_update', ({ queue }) => queue[0]?.id === two.id)
    expect(update.queue.map((turn) => turn.held)).toEqual([true, true])
    expect(await host.client.getSession({ params })).toMatchObject(held)
    await host.client.releaseQueue({ params, body: {} })
    expect(await after.end(one)).toMatchObject({ outcome: 'completed' })
    const asked = host.model.requests.filter(({ kind }) => kind === 'main')
    expect(asked.map(({ lastUserText }) => lastUserText)).toEqual(['talk', 'two', 'one'])
    await after.watch.close()
  })
})
