/** What every turn queue keeps to about the order of what waits, and about a queue that a person holds. */
import { isQueueHeld } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { type Coordination, StaleEpochError } from './coordination.ts'
import { acquire, contents, newSessionId, newTurn, queueOf, time } from './fixtures.conformance.ts'

type Get = () => Coordination

const later = '2025-06-01T12:05:00.000Z'

export function turnOrderTests(get: Get): void {
  it('puts a turn before another, or at the end, and the same again changes nothing', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    const moved = async (turnId: string, before?: string) => {
      expect(await get().turns.move(sessionId, turnId, before)).toMatchObject({
        outcome: 'moved',
        turn: { id: turnId, state: 'queued' },
      })
      return contents(get(), sessionId)
    }
    expect(await moved(id(2), id(0))).toEqual(['c', 'a', 'b'])
    expect(await moved(id(2), id(0))).toEqual(['c', 'a', 'b'])
    expect(await moved(id(2), id(2))).toEqual(['c', 'a', 'b'])
    expect(await moved(id(2))).toEqual(['a', 'b', 'c'])
    expect(await moved(id(0), id(2))).toEqual(['b', 'a', 'c'])
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: id(1) })
  })

  it('says which of the two does not wait, and moves nothing', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    expect(await get().turns.move(sessionId, id(0), undefined)).toEqual({ outcome: 'not_waiting' })
    expect(await get().turns.move(sessionId, newSessionId(), id(1))).toEqual({ outcome: 'not_waiting' })
    expect(await get().turns.move(newSessionId(), id(1), undefined)).toEqual({ outcome: 'not_waiting' })
    expect(await get().turns.move(sessionId, id(2), id(0))).toEqual({ outcome: 'target_not_waiting' })
    expect(await contents(get(), sessionId)).toEqual(['b', 'c'])
  })

  it('lets a turn that is put back find its place, and a new one come last', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    await get().turns.move(sessionId, id(2), id(1))
    await get().turns.unclaim(sessionId, epoch, id(0))
    await get().turns.admit(newTurn(sessionId, 'd'))
    expect(await contents(get(), sessionId)).toEqual(['a', 'c', 'b', 'd'])
  })
}

export function turnHoldTests(get: Get): void {
  const held = async (sessionId: string) => isQueueHeld(await get().turns.queued(sessionId))

  it('gives out nothing until it is released', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    expect(await get().turns.hold(sessionId)).toBe(true)
    expect((await get().turns.queued(sessionId)).map((turn) => turn.held)).toEqual([true, true])
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
    expect(await get().turns.release(sessionId)).toBe(true)
    expect(await get().turns.release(sessionId)).toBe(false)
    const claimed = await get().turns.claim(sessionId, epoch)
    expect(claimed).toMatchObject({ id: id(0) })
    expect(claimed).not.toHaveProperty('held')
  })

  it('is nothing where nothing waits, and holds no other session', async () => {
    const other = await queueOf(get(), 'x')
    const { sessionId, epoch } = await acquire(get(), newSessionId())
    expect(await get().turns.hold(sessionId)).toBe(false)
    const { turn } = await get().turns.admit(newTurn(sessionId, 'a'))
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: turn.id })
    expect(await get().turns.claim(other.sessionId, other.epoch)).toMatchObject({ id: other.id(0) })
  })

  it('is released by a new message, which comes last, and not by one that was sent before', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    const sent = newTurn(sessionId, 'c', { idempotencyKey: 'key' })
    await get().turns.admit(sent)
    await get().turns.hold(sessionId)
    expect(await get().turns.admit(sent)).toMatchObject({ outcome: 'duplicate', turn: { held: true } })
    expect(await get().turns.admit({ ...sent, content: 'other' })).toMatchObject({ outcome: 'mismatch' })
    expect(await held(sessionId)).toBe(true)
    expect((await get().turns.admit(newTurn(sessionId, 'd'))).turn).not.toHaveProperty('held')
    expect(await held(sessionId)).toBe(false)
    expect(await contents(get(), sessionId)).toEqual(['a', 'b', 'c', 'd'])
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: id(0) })
  })

  it('stays while its messages are edited, moved, taken back and steered', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c', 'd')
    await get().turns.hold(sessionId)
    expect(await get().turns.edit(sessionId, id(0), 'A')).toMatchObject({ held: true })
    expect(await get().turns.move(sessionId, id(3), id(0))).toMatchObject({ turn: { held: true } })
    expect(await get().turns.withdraw(sessionId, id(1), later)).not.toHaveProperty('held')
    expect(await get().turns.claimTurn(sessionId, epoch, id(2))).not.toHaveProperty('held')
    expect(await contents(get(), sessionId)).toEqual(['d', 'A'])
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
  })

  it('holds what is put back into it', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    await get().turns.claim(sessionId, epoch)
    await get().turns.hold(sessionId)
    await get().turns.unclaim(sessionId, epoch, id(0))
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
    await get().turns.release(sessionId)
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: id(0) })
  })

  it('is released by an unconfirmed turn that a person runs', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    await get().turns.end(sessionId, epoch, id(0), { outcome: 'unconfirmed', endedAt: later })
    await get().turns.hold(sessionId)
    await get().turns.settle(sessionId, id(0), 'run', later)
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: id(0) })
  })
}

/** A stop also brings back what the CLI had and did not read. */
export function turnGiveBackTests(get: Get): void {
  it('lets it wait again, held, under another id and before all others', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    await get().turns.hold(sessionId)
    const again = { id: newSessionId(), at: later, reason: 'stopped' }
    const turn = await get().turns.giveBack(sessionId, epoch, id(0), again)
    expect(turn).toEqual({
      id: again.id,
      session_id: sessionId,
      cause: 'message',
      state: 'queued',
      held: true,
      content: 'a',
      principal: 'owner',
      created_at: time,
    })
    expect(await get().turns.get(sessionId, id(0))).toMatchObject({
      state: 'ended',
      outcome: 'withdrawn',
      reason: 'stopped',
      ended_at: later,
    })
    expect(await contents(get(), sessionId)).toEqual(['a', 'b'])
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
    await expect(get().turns.giveBack(sessionId, epoch, again.id, again)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(get().turns.giveBack(sessionId, epoch + 1, id(1), again)).rejects.toThrow(StaleEpochError)
  })

  it.each([
    ['as they were sent', ['a', 'b']],
    ['the last one first', ['b', 'a']],
  ])('holds several in their order, given back %s', async (_how, order) => {
    const { sessionId, epoch, ids } = await queueOf(get(), 'a', 'b', 'c')
    const sent = ids.slice(0, 2)
    for (const id of sent) {
      await get().turns.claim(sessionId, epoch)
      await get().turns.start(sessionId, epoch, id, time)
    }
    await get().turns.hold(sessionId)
    for (const content of order) {
      const again = { id: newSessionId(), at: later, reason: 'stopped' }
      const id = sent[content === 'a' ? 0 : 1] ?? ''
      expect(await get().turns.giveBack(sessionId, epoch, id, again)).toMatchObject({ held: true, content })
    }
    expect(await contents(get(), sessionId)).toEqual(['a', 'b', 'c'])
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
  })

  it('holds it where nothing else waits', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    const again = { id: newSessionId(), at: later, reason: 'stopped' }
    expect(await get().turns.giveBack(sessionId, epoch, id(0), again)).toMatchObject({ held: true })
    expect(await get().turns.claim(sessionId, epoch)).toBeUndefined()
  })

  it('does not hold it where a message that came after the stop has released the queue', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    await get().turns.hold(sessionId)
    await get().turns.admit(newTurn(sessionId, 'c'))
    const again = { id: newSessionId(), at: later, reason: 'stopped' }
    expect(await get().turns.giveBack(sessionId, epoch, id(0), again)).not.toHaveProperty('held')
    expect(await contents(get(), sessionId)).toEqual(['a', 'b', 'c'])
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: again.id })
  })
}
