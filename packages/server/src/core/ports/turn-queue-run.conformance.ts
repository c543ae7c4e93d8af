/** How a turn of a queue runs: claimed, started, ended, and by its owner alone. */
import { turnCauses } from '@dorkos/shared'
import { expect, it } from 'vitest'
import { type Coordination, StaleEpochError } from './coordination.ts'
import { acquire, contents, newSessionId, newTurn, queueOf, time } from './fixtures.conformance.ts'

type Get = () => Coordination

const later = '2025-06-01T12:05:00.000Z'

export function turnRunTests(get: Get): void {
  it('claims in the order of admission, each turn once', async () => {
    const { sessionId, epoch, ids } = await queueOf(get(), 'a', 'b', 'c')
    const claims = await Promise.all(Array.from({ length: 5 }, () => get().turns.claim(sessionId, epoch)))
    expect(claims.map((turn) => turn?.id)).toEqual([...ids, undefined, undefined])
    expect(claims[0]).toMatchObject({ state: 'claimed', content: 'a' })
    expect(await get().turns.queued(sessionId)).toEqual([])
  })

  it('goes from queued to ended, with all that is known then', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a')
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    expect(await get().turns.get(sessionId, id(0))).toMatchObject({ state: 'running', started_at: time })
    const end = {
      outcome: 'completed' as const,
      endedAt: later,
      reason: 'done',
      structuredOutput: { a: [1] },
    }
    await get().turns.end(sessionId, epoch, id(0), end)
    const ended = {
      state: 'ended',
      outcome: 'completed',
      content: 'a',
      started_at: time,
      ended_at: later,
      reason: 'done',
      structured_output: { a: [1] },
    }
    expect(await get().turns.get(sessionId, id(0))).toMatchObject(ended)
    const again = { outcome: 'failed' as const, endedAt: later }
    await expect(get().turns.end(sessionId, epoch, id(0), again)).rejects.toMatchObject({ code: 'conflict' })
    expect(await get().turns.get(sessionId, id(0))).toMatchObject(ended)
  })

  it('claims one out of order, to join the running turn', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    expect(await get().turns.claimTurn(sessionId, epoch, id(1))).toMatchObject({
      content: 'b',
      state: 'claimed',
    })
    expect(await get().turns.claimTurn(sessionId, epoch, id(1))).toBeUndefined()
    expect(await get().turns.claimTurn(sessionId, epoch, newSessionId())).toBeUndefined()
    const end = { outcome: 'joined' as const, endedAt: later, joinedTurn: id(0) }
    await get().turns.end(sessionId, epoch, id(1), end)
    expect(await get().turns.get(sessionId, id(1))).toMatchObject({ outcome: 'joined', joined_turn: id(0) })
    expect(await contents(get(), sessionId)).toEqual(['a', 'c'])
  })

  it.each(turnCauses.filter((cause) => cause !== 'background'))('keeps why it began: %s', async (cause) => {
    const { sessionId, epoch } = await acquire(get(), newSessionId())
    const { turn } = await get().turns.admit(newTurn(sessionId, 'a', { cause }))
    expect(turn).toMatchObject({ cause })
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ cause })
    await get().turns.start(sessionId, epoch, turn.id, time)
    await get().turns.end(sessionId, epoch, turn.id, { outcome: 'completed', endedAt: later })
    expect(await get().turns.get(sessionId, turn.id)).toMatchObject({ cause, state: 'ended' })
  })

  it('knows a message that was steered for one, until it waits again', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'back', 'unread', 'unconfirmed', 'joined')
    const causes = async () =>
      (await get().turns.list(sessionId, { limit: 9 })).toReversed().map(({ cause }) => cause)
    for (const index of [0, 1, 2, 3])
      expect(await get().turns.claimTurn(sessionId, epoch, id(index))).toMatchObject({ cause: 'steer' })
    for (const index of [1, 2, 3]) await get().turns.start(sessionId, epoch, id(index), time)
    expect(await causes()).toEqual(['steer', 'steer', 'steer', 'steer'])
    await get().turns.unclaim(sessionId, epoch, id(0))
    const again = { id: newSessionId(), at: later, reason: 'stopped' }
    await get().turns.giveBack(sessionId, epoch, id(1), again)
    await get().turns.end(sessionId, epoch, id(2), { outcome: 'unconfirmed', endedAt: later })
    await get().turns.settle(sessionId, id(2), 'run', later)
    const joined = { outcome: 'joined' as const, endedAt: later, joinedTurn: newSessionId() }
    await get().turns.end(sessionId, epoch, id(3), joined)
    // The last one is the message that came back under another id.
    expect(await causes()).toEqual(['message', 'steer', 'message', 'steer', 'message'])
  })

  it('knows what else caused a turn also when it is steered', async () => {
    const { sessionId, epoch } = await acquire(get(), newSessionId())
    const { turn } = await get().turns.admit(newTurn(sessionId, 'a', { cause: 'schedule' }))
    expect(await get().turns.claimTurn(sessionId, epoch, turn.id)).toMatchObject({ cause: 'schedule' })
    await get().turns.unclaim(sessionId, epoch, turn.id)
    expect(await get().turns.get(sessionId, turn.id)).toMatchObject({ cause: 'schedule' })
  })

  it('puts a claimed turn back in its place', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    await get().turns.claim(sessionId, epoch)
    await get().turns.unclaim(sessionId, epoch, id(0))
    expect(await contents(get(), sessionId)).toEqual(['a', 'b'])
    await expect(get().turns.unclaim(sessionId, epoch, id(0))).rejects.toMatchObject({ code: 'conflict' })
  })
}

export function replacingTurnTests(get: Get): void {
  it('runs what is sent in place of an ended turn before all that waits, one at a time', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b')
    const replaces = { replaces: id(0) }
    const admit = (content: string) => get().turns.admit(newTurn(sessionId, content, replaces))
    await expect(admit('too early')).rejects.toMatchObject({ code: 'conflict' })
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(0), time)
    await expect(admit('while it runs')).rejects.toMatchObject({ code: 'conflict' })
    await get().turns.end(sessionId, epoch, id(0), { outcome: 'completed', endedAt: later })
    await get().turns.hold(sessionId)
    const { turn } = await admit('a again')
    expect(turn).toMatchObject({ state: 'queued', replaces: id(0) })
    expect(await contents(get(), sessionId)).toEqual(['a again', 'b'])
    await expect(admit('twice')).rejects.toMatchObject({ code: 'conflict' })
    // Sending it released the queue, and refused ones left no trace.
    expect(await get().turns.claim(sessionId, epoch)).toMatchObject({ id: turn.id, replaces: id(0) })
    await get().turns.start(sessionId, epoch, turn.id, later)
    const again = { id: newSessionId(), at: later, reason: 'stopped' }
    expect(await get().turns.giveBack(sessionId, epoch, turn.id, again)).toMatchObject(replaces)
    await get().turns.withdraw(sessionId, again.id, later)
    expect((await admit('once more')).outcome).toBe('admitted')
    const unknown = newTurn(sessionId, 'of nothing', { replaces: newSessionId() })
    await expect(get().turns.admit(unknown)).rejects.toMatchObject({ code: 'not_found' })
  })
}

export function turnOwnerTests(get: Get): void {
  it('refuses what is out of order or unknown', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a')
    const end = { outcome: 'failed' as const, endedAt: later }
    await expect(get().turns.start(sessionId, epoch, id(0), time)).rejects.toMatchObject({ code: 'conflict' })
    await expect(get().turns.end(sessionId, epoch, id(0), end)).rejects.toMatchObject({ code: 'conflict' })
    await expect(get().turns.end(sessionId, epoch, newSessionId(), end)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await contents(get(), sessionId)).toEqual(['a'])
  })

  it('records a turn that no message caused', async () => {
    const { sessionId, epoch } = await queueOf(get())
    const turn = { id: newSessionId(), principal: 'owner', startedAt: time }
    await get().turns.startBackground(sessionId, epoch, turn)
    expect(await get().turns.get(sessionId, turn.id)).toEqual({
      id: turn.id,
      session_id: sessionId,
      cause: 'background',
      state: 'running',
      principal: 'owner',
      created_at: time,
      started_at: time,
    })
    await get().turns.end(sessionId, epoch, turn.id, { outcome: 'interrupted', endedAt: later })
  })

  it('refuses every write of a stale owner, and changes nothing', async () => {
    const { sessionId, epoch, id } = await queueOf(get(), 'a', 'b', 'c')
    await get().turns.claim(sessionId, epoch)
    await get().turns.claim(sessionId, epoch)
    await get().turns.start(sessionId, epoch, id(1), time)
    const before = await get().turns.list(sessionId, { limit: 10 })
    await acquire(get(), sessionId)
    const background = { id: newSessionId(), principal: 'owner', startedAt: time }
    for (const stale of [
      get().turns.claim(sessionId, epoch),
      get().turns.claimTurn(sessionId, epoch, id(2)),
      get().turns.start(sessionId, epoch, id(0), time),
      get().turns.unclaim(sessionId, epoch, id(0)),
      get().turns.startBackground(sessionId, epoch, background),
      get().turns.end(sessionId, epoch, id(1), { outcome: 'completed', endedAt: later }),
    ])
      await expect(stale).rejects.toBeInstanceOf(StaleEpochError)
    expect(await get().turns.list(sessionId, { limit: 10 })).toEqual(before)
  })
}
