/** What every event log keeps to. */
import type { NewEvent } from '@dorkos/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Coordination, type LeaseGrant, maxKeptEvents, StaleEpochError } from './coordination.ts'
import { eventLogModelTests } from './event-log-model.conformance.ts'
import {
  acquire,
  append,
  batchOf,
  brief,
  type CoordinationSubject,
  createManualClock,
  newSessionId,
  newTurn,
  type OpenCoordination,
  time,
} from './fixtures.conformance.ts'

type Get = () => Coordination

export function eventLogConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: event log`, () => {
    let subject: CoordinationSubject
    let coordination: Coordination
    beforeAll(async () => {
      subject = await open(createManualClock())
      coordination = subject.coordination
    })
    afterAll(() => subject.close())
    const get = () => coordination

    describe('append', () => appendTests(get))
    describe('read', () => readTests(get))
    describe('going on', () => continueTests(get))
    describe('trim and remove', () => trimTests(get))
    describe('what stays', () => keptTests(get))
    describe('against a model', () => eventLogModelTests(get))

    it('keeps everything when opened again, and goes on after it', async (context) => {
      if (!subject.reopen) return context.skip()
      const grant = await acquire(coordination, newSessionId())
      const before = await append(coordination, grant, 2, ['a', 'b'])
      const { id } = coordination.events
      coordination = await subject.reopen()
      expect(coordination.events.id).toBe(id)
      expect(await coordination.events.readSession(grant.sessionId, undefined, 10)).toMatchObject([
        { id: '1-1' },
        ...before,
      ])
      expect(brief(await append(coordination, grant, 4, ['c']))).toEqual(['1-4 c'])
      expect((await acquire(coordination, grant.sessionId)).epoch).toBe(2)
    })
  })
}

function appendTests(get: Get): void {
  it('numbers events without a gap from the event that the lease began with', async () => {
    const grant = await acquire(get(), newSessionId())
    const first = await append(get(), grant, 2, ['a', 'b'])
    const second = await append(get(), grant, 4, ['c'])
    expect(brief([...first, ...second])).toEqual(['1-2 a', '1-3 b', '1-4 c'])
    expect(first[0]).toMatchObject({ session: grant.sessionId, time, type: 'text_delta' })
    const read = await get().events.readSession(grant.sessionId, undefined, 10)
    expect(brief(read)).toEqual(['1-1', '1-2 a', '1-3 b', '1-4 c'])
    expect(read.slice(1)).toEqual([...first, ...second])
  })

  it.each([1, 3, 0, -1, 1.5])('refuses the first seq %d when 2 is the next', async (firstSeq) => {
    const grant = await acquire(get(), newSessionId())
    await expect(append(get(), grant, firstSeq, ['a'])).rejects.toBeInstanceOf(RangeError)
    expect(await get().events.end(grant.sessionId)).toEqual({ epoch: 1, seq: 1 })
    await append(get(), grant, 2, ['a'])
  })

  it('refuses a stale epoch, one of the future and a session that nobody owns, and changes nothing', async () => {
    const old = await acquire(get(), newSessionId())
    const current = await acquire(get(), old.sessionId)
    const before = await get().events.readSession(old.sessionId, undefined, 10)
    for (const grant of [old, { ...current, epoch: 3 }, { ...current, epoch: 0 }])
      await expect(append(get(), grant, 2, ['a'])).rejects.toMatchObject({
        ...grant,
        name: 'StaleEpochError',
      })
    const unknown = { sessionId: newSessionId(), epoch: 0 }
    await expect(append(get(), unknown, 1, ['a'])).rejects.toBeInstanceOf(StaleEpochError)
    expect(await get().events.readSession(old.sessionId, undefined, 10)).toEqual(before)
    await append(get(), current, 2, ['b'])
  })

  it('takes each batch of a call whole or not at all, whatever becomes of the others', async () => {
    const [good, stale, wrong] = await Promise.all(
      [newSessionId(), newSessionId(), newSessionId()].map((id) => acquire(get(), id)),
    )
    if (!good || !stale || !wrong) throw new Error('no grants')
    await acquire(get(), stale.sessionId)
    const results = await get().events.append([
      batchOf(stale, 2, ['x', 'y']),
      batchOf(good, 2, ['a', 'b']),
      batchOf(wrong, 7, ['x', 'y']),
      batchOf(good, 4, ['c']),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(results[0]).toMatchObject({ reason: expect.any(StaleEpochError) })
    expect(results[2]).toMatchObject({ reason: expect.any(RangeError) })
    expect(brief(await get().events.readSession(good.sessionId, { epoch: 1, seq: 1 }, 9))).toEqual([
      '1-2 a',
      '1-3 b',
      '1-4 c',
    ])
    expect(await get().events.end(wrong.sessionId)).toEqual({ epoch: 1, seq: 1 })
  })

  it('keeps each session in its order, also of calls made at once', async () => {
    const grants = await Promise.all(Array.from({ length: 5 }, () => acquire(get(), newSessionId())))
    const calls = []
    for (let seq = 2; seq < 22; seq++)
      for (const grant of grants) calls.push(append(get(), grant, seq, [`${seq}`]))
    await Promise.all(calls)
    for (const { sessionId } of grants)
      expect(brief(await get().events.readSession(sessionId, { epoch: 1, seq: 1 }, 100))).toEqual(
        Array.from({ length: 20 }, (_, index) => `1-${index + 2} ${index + 2}`),
      )
  })

  it('keeps any text', async () => {
    const grant = await acquire(get(), newSessionId())
    const texts = ['', '\u0000 nul', '\ud800 lone', '🦊', "'; DROP TABLE events; --", 'x'.repeat(1_000_000)]
    await append(get(), grant, 2, texts)
    const read = await get().events.readSession(grant.sessionId, { epoch: 1, seq: 1 }, 10)
    expect(read.map((event) => event.type === 'text_delta' && event.text)).toEqual(texts)
  })
}

function readTests(get: Get): void {
  it('reads a session after an event, across epochs, up to a limit', async () => {
    const grant = await acquire(get(), newSessionId())
    await append(get(), grant, 2, ['a', 'b'])
    const next = await acquire(get(), grant.sessionId)
    await append(get(), next, 2, ['c'])
    const read = async (epoch: number, seq: number, limit: number) =>
      brief(await get().events.readSession(grant.sessionId, { epoch, seq }, limit))
    expect(await read(1, 2, 10)).toEqual(['1-3 b', '2-1', '2-2 c'])
    expect(await read(1, 2, 2)).toEqual(['1-3 b', '2-1'])
    expect(await read(1, 99, 10)).toEqual(['2-1', '2-2 c'])
    expect(await read(2, 2, 10)).toEqual([])
    expect(await read(0, 0, 0)).toEqual([])
    expect(await get().events.readSession(newSessionId(), undefined, 10)).toEqual([])
  })

  it('reads more events than fit in one piece', async () => {
    const [one, other] = [await acquire(get(), newSessionId()), await acquire(get(), newSessionId())]
    const texts = Array.from({ length: 1500 }, (_, index) => `${index}`)
    await get().events.append([batchOf(one, 2, texts), batchOf(other, 2, texts), batchOf(one, 1502, texts)])
    const all = await get().events.readSession(one.sessionId, undefined, 10_000)
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 3001 }, (_, index) => `1-${index + 1}`))
    const part = await get().events.readSession(one.sessionId, { epoch: 1, seq: 1 }, 2999)
    expect(part).toEqual(all.slice(1, 3000))
  })

  it('knows the newest event, and the newest of a type', async () => {
    expect(await get().events.end(newSessionId())).toBeUndefined()
    const grant = await acquire(get(), newSessionId())
    const status = (state: 'idle' | 'working') => ({
      time,
      event: { type: 'session_status' as const, state, live: true },
    })
    const [result] = await get().events.append([
      { ...batchOf(grant, 2, []), events: [status('working'), status('idle')] },
    ])
    const [text] = await append(get(), grant, 4, ['a'])
    expect(await get().events.end(grant.sessionId)).toEqual({ epoch: 1, seq: 4 })
    const latest = await get().events.latest(grant.sessionId, 'session_status')
    expect(latest).toEqual(result?.status === 'fulfilled' && result.value[1])
    expect(await get().events.latest(grant.sessionId, 'text_delta')).toEqual(text)
    expect(await get().events.latest(grant.sessionId, 'turn_end')).toBeUndefined()
  })
}

function continueTests(get: Get): void {
  const from = (sessionId: string) => (epoch: number, seq: number) =>
    get().events.continues(sessionId, { epoch, seq })

  it('goes on from every event that it has, and from before the first', async () => {
    const grant = await acquire(get(), newSessionId())
    await append(get(), grant, 2, ['a', 'b'])
    await acquire(get(), grant.sessionId)
    const continues = from(grant.sessionId)
    const positions: [number, number][] = [
      [0, 0],
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
    ]
    for (const [epoch, seq] of positions) expect(await continues(epoch, seq), `${epoch}-${seq}`).toBe(true)
  })

  it('does not go on from what the session never had', async () => {
    const grant = await acquire(get(), newSessionId())
    await acquire(get(), grant.sessionId)
    const continues = from(grant.sessionId)
    const positions: [number, number][] = [
      [0, 1],
      [0, 5],
      [1, 0],
      [1, 2],
      [2, 0],
      [2, 2],
      [3, 1],
    ]
    for (const [epoch, seq] of positions) expect(await continues(epoch, seq), `${epoch}-${seq}`).toBe(false)
    const unknown = from(newSessionId())
    expect([await unknown(0, 0), await unknown(1, 1)]).toEqual([true, false])
  })

  it('does not go on where something after it was trimmed; from its end it does, whatever was', async () => {
    const grant = await acquire(get(), newSessionId())
    await get().events.remove(grant.sessionId)
    await append(get(), grant, 2, ['a', 'b'], long)
    await append(get(), grant, 4, ['c'])
    const continues = from(grant.sessionId)
    const all = () => Promise.all([continues(0, 0), continues(1, 2), continues(1, 3), continues(1, 4)])
    expect(await all()).toEqual([false, true, true, true])
    await get().events.trim(limit)
    expect(await all()).toEqual([false, false, false, true])
    await get().events.trim('2040-01-01T00:00:00.000Z')
    expect(await get().events.readSession(grant.sessionId, undefined, 1)).toEqual([])
    expect(await get().events.end(grant.sessionId)).toEqual({ epoch: 1, seq: 4 })
    expect(await all()).toEqual([false, false, false, true])
  })
}

const long = '2020-01-01T00:00:00.000Z'
const limit = '2021-01-01T00:00:00Z'

function keptTests(get: Get): void {
  it('keeps what nothing else records, in its order, until the session is forgotten', async () => {
    const grant = await acquire(get(), newSessionId())
    const { sessionId, epoch } = grant
    // The first event is of now, and nothing after it would be trimmed.
    await get().events.remove(sessionId)
    const at = (second: number) => `2020-01-01T00:00:0${second}.000Z`
    const limited = (status: string) => ({ type: 'rate_limit', status }) as const satisfies NewEvent
    const appended: NewEvent[] = [notice('one'), { type: 'todo_update', todos: [] }, limited('allowed')]
    const later: NewEvent[] = [limited('rejected'), notice('two')]
    const batch = (firstSeq: number, events: NewEvent[]) => ({
      sessionId,
      epoch,
      firstSeq,
      events: events.map((event, index) => ({ time: at(firstSeq + index), event })),
    })
    await get().events.append([batch(2, appended)])
    expect(await get().events.trim(limit)).toBe(3)
    await get().events.append([batch(5, later)])
    const kept = async (range: { from?: string; until?: string; limit?: number } = {}) =>
      (await get().events.kept(sessionId, { limit: 10, ...range })).map(({ id, type }) => `${id} ${type}`)
    const all = ['1-2 notice', '1-5 rate_limit', '1-6 notice']
    expect(await kept()).toEqual(all)
    expect(await kept({ limit: 2 })).toEqual(all.slice(-2))
    expect(await kept({ from: at(5), until: at(6) })).toEqual(['1-5 rate_limit'])
    expect(await get().events.trim(limit)).toBe(2)
    expect(await kept()).toEqual(all)
    expect(await kept({ limit: 2 })).toEqual(all.slice(-2))
    expect(await kept({ from: at(5), until: at(6) })).toEqual(['1-5 rate_limit'])
    expect(await get().events.kept(newSessionId(), { limit: 10 })).toEqual([])
    await get().events.remove(sessionId)
    expect(await kept()).toEqual([])
  })

  it('keeps the newest of too many, of each session its own', async () => {
    const [few, many] = [await acquire(get(), newSessionId()), await acquire(get(), newSessionId())]
    for (const { sessionId } of [few, many]) await get().events.remove(sessionId)
    const add = async ({ sessionId, epoch }: LeaseGrant, firstSeq: number, count: number) => {
      const events = Array.from({ length: count }, () => ({ time: long, event: notice('one of many') }))
      await get().events.append([{ sessionId, epoch, firstSeq, events }])
      expect(await get().events.trim(limit)).toBe(count)
    }
    const kept = async ({ sessionId }: LeaseGrant) =>
      (await get().events.kept(sessionId, { limit: 2 * maxKeptEvents })).map(({ id }) => id)
    const ids = (first: number, count: number) => Array.from({ length: count }, (_, at) => `1-${first + at}`)
    await add(few, 2, 3)
    await add(many, 2, maxKeptEvents)
    expect(await kept(many)).toEqual(ids(2, maxKeptEvents))
    await add(many, 2 + maxKeptEvents, 7)
    expect(await kept(many)).toEqual(ids(9, maxKeptEvents))
    expect(await kept(few)).toEqual(ids(2, 3))
  })
}

function notice(message: string): NewEvent {
  return { type: 'notice', level: 'info', code: 'test', message }
}

function trimTests(get: Get): void {
  async function withOldEvents(count: number): Promise<LeaseGrant> {
    const grant = await acquire(get(), newSessionId())
    await get().events.remove(grant.sessionId)
    const texts = Array.from({ length: count }, (_, index) => `${index}`)
    await append(get(), grant, 2, texts, long)
    return grant
  }

  it('drops old events and numbers on', async () => {
    const grant = await withOldEvents(3)
    await append(get(), grant, 5, ['new'])
    const bystander = await acquire(get(), newSessionId())
    expect(await get().events.trim(limit)).toBe(3)
    expect(await get().events.trim(limit)).toBe(0)
    expect(brief(await get().events.readSession(grant.sessionId, undefined, 10))).toEqual(['1-5 new'])
    expect(await get().events.readSession(bystander.sessionId, undefined, 10)).toHaveLength(1)
    await append(get(), grant, 6, ['newer'])
  })

  it('drops thousands of events of several sessions, and goes on where nothing is left', async () => {
    const grants = [await withOldEvents(5000), await withOldEvents(2000), await withOldEvents(1)]
    expect(await get().events.trim(limit)).toBe(7001)
    for (const { sessionId } of grants)
      expect(await get().events.readSession(sessionId, undefined, 1)).toEqual([])
    const [first] = grants
    if (!first) throw new Error('no grant')
    expect(brief(await append(get(), first, 5002, ['on']))).toEqual(['1-5002 on'])
  })

  it('leaves no hole when the clock once ran ahead', async () => {
    const grant = await withOldEvents(1)
    await append(get(), grant, 3, ['ahead'])
    await append(get(), grant, 4, ['back'], long)
    await get().events.trim(limit)
    expect(brief(await get().events.readSession(grant.sessionId, undefined, 10))).toEqual([
      '1-3 ahead',
      '1-4 back',
    ])
  })

  it('keeps the events of the epoch in which a turn runs', async () => {
    const old = await withOldEvents(1)
    const grant = await acquire(get(), old.sessionId)
    const { turn } = await get().turns.admit(newTurn(grant.sessionId, 'hello'))
    await get().turns.claim(grant.sessionId, grant.epoch)
    await get().turns.start(grant.sessionId, grant.epoch, turn.id, long)
    await append(get(), grant, 2, ['running'], long)
    expect(await get().events.trim('2040-01-01T00:00:00.000Z')).toBeGreaterThan(0)
    expect(brief(await get().events.readSession(grant.sessionId, undefined, 10))).toEqual([
      '2-1',
      '2-2 running',
    ])
    await get().turns.end(grant.sessionId, grant.epoch, turn.id, { outcome: 'completed', endedAt: long })
    expect(await get().events.trim('2040-01-01T00:00:00.000Z')).toBeGreaterThan(0)
    expect(await get().events.readSession(grant.sessionId, undefined, 1)).toEqual([])
  })

  it('forgets a session, but never uses an id of it again', async () => {
    const grant = await acquire(get(), newSessionId())
    const other = await acquire(get(), newSessionId())
    await append(
      get(),
      grant,
      2,
      Array.from({ length: 4500 }, () => 'x'),
    )
    await get().events.remove(grant.sessionId)
    expect(await get().events.readSession(grant.sessionId, undefined, 10)).toEqual([])
    expect(await get().events.readSession(other.sessionId, undefined, 10)).toHaveLength(1)
    const next = await acquire(get(), grant.sessionId)
    expect(next.epoch).toBe(2)
    const [first] = await get().events.readSession(grant.sessionId, undefined, 10)
    expect(first).toMatchObject({ id: '2-1', type: 'session_taken_over', reason: 'test' })
  })
}
