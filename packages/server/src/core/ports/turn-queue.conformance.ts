/** What every turn queue keeps to. */
import type { Turn } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Coordination } from './coordination.ts'
import {
  acquire,
  type CoordinationSubject,
  contents,
  createManualClock,
  newSessionId,
  newTurn,
  type OpenCoordination,
  queueOf,
  time,
} from './fixtures.conformance.ts'
import { turnQueueModelTests } from './turn-queue-model.conformance.ts'
import { turnGiveBackTests, turnHoldTests, turnOrderTests } from './turn-queue-order.conformance.ts'
import { replacingTurnTests, turnOwnerTests, turnRunTests } from './turn-queue-run.conformance.ts'

type Get = () => Coordination

const later = '2025-06-01T12:05:00.000Z'

export function turnQueueConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: turn queue`, () => {
    let subject: CoordinationSubject
    let coordination: Coordination
    beforeAll(async () => {
      subject = await open(createManualClock())
      coordination = subject.coordination
    })
    afterAll(() => subject.close())
    const get = () => coordination

    describe('admit', () => admitTests(get))
    describe('claim and run', () => turnRunTests(get))
    describe('what is sent in place of another', () => replacingTurnTests(get))
    describe('writes of an owner', () => turnOwnerTests(get))
    describe('change what waits', () => waitingTests(get))
    describe('the order of what waits', () => turnOrderTests(get))
    describe('a held queue', () => turnHoldTests(get))
    describe('a message that was sent and never read', () => turnGiveBackTests(get))
    describe('after a crash', () => crashTests(get))
    describe('against a model', () => turnQueueModelTests(get))

    it('keeps turns, their order and their keys when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const grant = await acquire(coordination, newSessionId())
      const first = newTurn(grant.sessionId, 'one', { idempotencyKey: 'key' })
      await coordination.turns.admit(first)
      const { turn: second } = await coordination.turns.admit(newTurn(grant.sessionId, 'two'))
      await coordination.turns.move(grant.sessionId, second.id, first.id)
      await coordination.turns.hold(grant.sessionId)
      coordination = await subject.reopen()
      expect(await contents(coordination, grant.sessionId)).toEqual(['two', 'one'])
      expect(await coordination.turns.claim(grant.sessionId, grant.epoch)).toBeUndefined()
      expect(await coordination.turns.admit(first)).toMatchObject({ outcome: 'duplicate' })
      await coordination.turns.release(grant.sessionId)
      expect(await coordination.turns.claim(grant.sessionId, grant.epoch)).toMatchObject({ id: second.id })
      expect(await coordination.turns.claim(grant.sessionId, grant.epoch)).toMatchObject({ id: first.id })
    })
  })
}

function admitTests(get: Get): void {
  it('stores a message as a queued turn, before anybody owns the session', async () => {
    const message = newTurn(newSessionId(), 'hello \u0000 \ud800')
    const expected: Turn = {
      id: message.id,
      session_id: message.sessionId,
      cause: 'message',
      state: 'queued',
      content: 'hello \u0000 \ud800',
      principal: 'owner',
      created_at: time,
    }
    expect(await get().turns.admit(message)).toEqual({ outcome: 'admitted', turn: expected })
    expect(await get().turns.get(message.sessionId, message.id)).toEqual(expected)
    expect(await get().turns.get(newSessionId(), message.id)).toBeUndefined()
  })

  it('keeps blocks of content as they are', async () => {
    const content = [
      { type: 'text' as const, text: 'look' },
      {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png', data: 'A'.repeat(2_000_000) },
      },
    ]
    const { turn } = await get().turns.admit({ ...newTurn(newSessionId(), ''), content })
    expect(turn.content).toEqual(content)
  })

  it('admits a message with the same key once, also when sent at once', async () => {
    const message = newTurn(newSessionId(), 'hello', { idempotencyKey: 'key' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => get().turns.admit({ ...message, id: newSessionId() })),
    )
    expect(answers.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(1)
    expect(answers.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(19)
    expect(new Set(answers.map(({ turn }) => turn.id)).size).toBe(1)
    expect(await get().turns.queued(message.sessionId)).toHaveLength(1)
  })

  it('says when the key was used for another message', async () => {
    const message = newTurn(newSessionId(), 'hello', { idempotencyKey: 'key' })
    const { turn } = await get().turns.admit(message)
    const other = newTurn(message.sessionId, 'bye', { idempotencyKey: 'key' })
    expect(await get().turns.admit(other)).toEqual({ outcome: 'mismatch', turn })
    for (const different of [
      newTurn(message.sessionId, 'bye', { idempotencyKey: 'another' }),
      newTurn(message.sessionId, 'bye', { idempotencyKey: 'key', principal: 'guest' }),
      newTurn(newSessionId(), 'bye', { idempotencyKey: 'key' }),
    ])
      expect(await get().turns.admit(different)).toMatchObject({ outcome: 'admitted' })
  })

  it('remembers the key of a turn that was edited or has ended', async () => {
    const message = newTurn(newSessionId(), 'hello', { idempotencyKey: 'key' })
    await get().turns.admit(message)
    await get().turns.edit(message.sessionId, message.id, 'edited')
    expect(await get().turns.admit(message)).toMatchObject({
      outcome: 'duplicate',
      turn: { content: 'edited' },
    })
    await get().turns.withdraw(message.sessionId, message.id, later)
    expect(await get().turns.admit(message)).toMatchObject({ outcome: 'duplicate', turn: { state: 'ended' } })
  })

  it('refuses an id that the session has already', async () => {
    const message = newTurn(newSessionId(), 'hello')
    await get().turns.admit(message)
    await expect(get().turns.admit(message)).rejects.toMatchObject({ code: 'conflict' })
  })
}

function waitingTests(get: Get): void {
  it('edits and withdraws what waits, and nothing else', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    expect(await get().turns.edit(sessionId, id(1), 'edited')).toMatchObject({ content: 'edited' })
    expect(await get().turns.withdraw(sessionId, id(2), later)).toMatchObject({
      state: 'ended',
      outcome: 'withdrawn',
      ended_at: later,
    })
    expect(await contents(get(), sessionId)).toEqual(['edited'])
    for (const other of [id(0), id(2), newSessionId()]) {
      expect(await get().turns.edit(sessionId, other, 'late')).toBeUndefined()
      expect(await get().turns.withdraw(sessionId, other, later)).toBeUndefined()
    }
    expect(await get().turns.get(sessionId, id(0))).toMatchObject({ state: 'claimed', content: 'a' })
  })

  it('either runs or withdraws a turn when both are asked at once', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a')
    const [claimed, withdrawn] = await Promise.all([
      get().turns.claim(sessionId, epoch),
      get().turns.withdraw(sessionId, id(0), later),
    ])
    expect([claimed, withdrawn].filter((turn) => turn !== undefined)).toHaveLength(1)
  })

  it('lists newest first, by state', async () => {
    const { sessionId, epoch, ids } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    const list = async (filter: { state?: Turn['state']; limit: number }) =>
      (await get().turns.list(sessionId, filter)).map(({ id }) => id)
    expect(await list({ limit: 10 })).toEqual(ids.toReversed())
    expect(await list({ limit: 2 })).toEqual([ids[2], ids[1]])
    expect(await list({ state: 'queued', limit: 10 })).toEqual([ids[2], ids[1]])
    expect(await list({ state: 'claimed', limit: 10 })).toEqual([ids[0]])
    expect(await list({ state: 'ended', limit: 10 })).toEqual([])
  })

  it('lists those that were made by a time', async () => {
    const { sessionId } = await acquire(get(), newSessionId())
    const times = ['2025-06-01T10:00:00.000Z', '2025-06-01T11:00:00.000Z', '2025-06-01T12:00:00.000Z']
    for (const createdAt of times) await get().turns.admit(newTurn(sessionId, createdAt, { createdAt }))
    const found = await get().turns.list(sessionId, { until: '2025-06-01T11:00:00.000Z', limit: 10 })
    expect(found.map(({ content }) => content)).toEqual([times[1], times[0]])
  })

  it('forgets the turns of a session, and of no other', async () => {
    const one = await queueOf(get(), 'a')
    const other = await queueOf(get(), 'b')
    await get().turns.remove(one.sessionId)
    expect(await get().turns.list(one.sessionId, { limit: 10 })).toEqual([])
    expect(await contents(get(), other.sessionId)).toEqual(['b'])
  })
}

function crashTests(get: Get): void {
  async function unconfirmed() {
    const queue = await queueOf(get(), 'a', 'b')
    await get().turns.claim(queue.sessionId, queue.epoch)
    await get().turns.start(queue.sessionId, queue.epoch, queue.id(0), time)
    const end = { outcome: 'unconfirmed' as const, endedAt: later, reason: 'the server stopped' }
    await get().turns.end(queue.sessionId, queue.epoch, queue.id(0), end)
    return queue
  }

  it('lists what an owner left, and lets the next one mend it', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    await get().turns.claim(sessionId, epoch)
    const find = async () => (await get().turns.unfinished()).find((entry) => entry.sessionId === sessionId)
    expect(await find()).toMatchObject({
      queued: 1,
      open: [
        { id: id(0), state: 'running', epoch },
        { id: id(1), state: 'claimed', epoch },
      ],
    })
    const next = await acquire(get(), sessionId)
    await get().turns.unclaim(sessionId, next.epoch, id(1))
    await get().turns.end(sessionId, next.epoch, id(0), { outcome: 'interrupted', endedAt: later })
    expect(await find()).toEqual({ sessionId, queued: 2, open: [] })
    expect(await contents(get(), sessionId)).toEqual(['b', 'c'])
    for (const index of [1, 2]) await get().turns.withdraw(sessionId, id(index), later)
    expect(await find()).toBeUndefined()
  })

  it('runs an unconfirmed turn again before all others', async () => {
    const { sessionId, epoch, id } = await unconfirmed()
    const turn = await get().turns.settle(sessionId, id(0), 'run', later)
    expect(turn).toEqual({
      id: id(0),
      session_id: sessionId,
      cause: 'message',
      state: 'queued',
      content: 'a',
      principal: 'owner',
      created_at: time,
    })
    expect(await contents(get(), sessionId)).toEqual(['a', 'b'])
    expect(await get().turns.settle(sessionId, id(0), 'run', later)).toBeUndefined()
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: id(0) })
  })

  it('drops an unconfirmed turn for good', async () => {
    const { sessionId, id } = await unconfirmed()
    expect(await get().turns.settle(sessionId, id(0), 'drop', later)).toMatchObject({
      state: 'ended',
      outcome: 'withdrawn',
    })
    expect(await get().turns.settle(sessionId, id(0), 'run', later)).toBeUndefined()
    expect(await get().turns.settle(sessionId, id(1), 'run', later)).toBeUndefined()
    expect(await contents(get(), sessionId)).toEqual(['b'])
  })
}
