import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costReportSchema, type NewEvent, streamEventSchema } from '@dorkos/shared'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guest, owner } from '../../../test/support/actors.ts'
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts'
import { silent } from '../../../test/support/gateway-fixture.ts'
import { openSqliteStore, type SqliteStore } from '../../adapters/sqlite/open-sqlite-store.ts'
import { ownerPrincipal } from '../actor.ts'
import type { CliMessage } from '../ports/agent.ts'
import type { LeaseOwner } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import { Costs } from './costs.ts'

const one = '11111111-1111-4111-8111-111111111111'
const two = '22222222-2222-4222-8222-222222222222'
const leaseMs = 7 * 24 * 3_600_000
let clock: FakeClock
let folder: string
let store: SqliteStore
let sessions: Map<string, Session>
let costs: Costs
/** Of another server. */
let others: Costs
let config: { sessions: { budgetUsd: number }; budgets: { dayUsd: number; warnAt: number } }
let events: NewEvent[]
/** What each process would answer to `get_usage`. */
let meters: Map<string, Record<string, { costUSD: number; inputTokens: number }>>

beforeEach(async () => {
  clock = createFakeClock(Date.parse('2026-03-01T12:00:00.000Z'))
  folder = await mkdtemp(join(tmpdir(), 'dorkos-costs-'))
  store = await openSqliteStore({ path: join(folder, 'dorkos.db'), clock, logger: silent })
  config = { sessions: { budgetUsd: 10 }, budgets: { dayUsd: 50, warnAt: 0.8 } }
  events = []
  meters = new Map()
  const { ledger } = store.records
  const { runningCosts, leases } = store.coordination
  sessions = new Map()
  const get = async (id: string) => sessions.get(id)
  const stores = { ledger, leases, runningCosts, sessions: { get } }
  // Only these keys are read.
  const server = (owner: LeaseOwner) =>
    new Costs({ ...stores, owner, clock, logger: silent, config: () => config as never })
  costs = server('a/1')
  others = server('b/1')
  await leases.acquire(one, 'a/1', leaseMs, 'a test')
  await leases.acquire(two, 'b/1', leaseMs, 'a test')
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

type Session = Parameters<Costs['recordTurn']>[0]['record'] & Pick<SessionRecord, 'principal' | 'budgetUsd'>

function record(id: string, part: Partial<Session> = {}): Session {
  return { id, principal: ownerPrincipal, workspaceId: 'ws_1', demo: false, budgetUsd: undefined, ...part }
}

function keep(session: Session): void {
  sessions.set(session.id, session)
}

/** A process whose figures stand at `usd`. */
async function open(
  sessionId: string,
  usd = 0,
  part: { demo?: boolean; isNew?: boolean; at?: Costs } = {},
): Promise<string> {
  const processId = `process of ${sessionId}`
  if (usd > 0) spend(processId, usd)
  await (part.at ?? costs).openProcess({
    processId,
    sessionId,
    epoch: 1,
    principal: ownerPrincipal,
    isNew: part.isNew ?? usd === 0,
    demo: part.demo ?? false,
    readUsage: async () => ({ session: { model_usage: structuredClone(meters.get(processId) ?? {}) } }),
    emit: (event) => events.push(event),
  })
  return processId
}

function spend(processId: string, usd: number, model = 'opus'): void {
  const usage = meters.get(processId) ?? {}
  const before = usage[model] ?? { costUSD: 0, inputTokens: 0 }
  usage[model] = { costUSD: before.costUSD + usd, inputTokens: before.inputTokens + 100 }
  meters.set(processId, usage)
}

/** As the CLI reports it, without the figures since the last result. */
function resultOf(processId: string): CliMessage {
  return {
    type: 'result',
    subtype: 'success',
    duration_ms: 1200,
    num_turns: 2,
    modelUsage: structuredClone(meters.get(processId)),
  }
}

let turns = 0
function ended(session: Session, processId: string, principal = ownerPrincipal, at = costs) {
  return at.recordTurn({
    record: session,
    turnId: `turn ${++turns}`,
    principal,
    processId,
    end: { result: resultOf(processId) },
  })
}

describe('a turn', () => {
  it('goes to the ledger and is published with the totals', async () => {
    const processId = await open(one)
    spend(processId, 1.5)
    spend(processId, 0.25, 'haiku')
    const { turnEnd, events: published } = await ended(record(one), processId)
    expect(turnEnd).toMatchObject({ usd: 1.75, duration_ms: 1200, num_turns: 2, tokens: { input: 200 } })
    const envelope = { id: '1-1', session: one, time: '2026-03-01T00:00:00.000Z' }
    expect(streamEventSchema.parse({ ...envelope, ...published[0] })).toMatchObject({
      type: 'cost_update',
      turn_usd: 1.75,
      session_usd: 1.75,
      day_usd: 1.75,
      demo: false,
    })
    expect(published[0]).not.toHaveProperty('budget')
    const { entries } = await costs.service.entries(owner(), { limit: 10 })
    expect(entries.map(({ model, usd }) => [model, usd])).toEqual([
      ['haiku', 0.25],
      ['opus', 1.5],
    ])
  })

  it('of a resumed conversation does not pay again for what came before', async () => {
    const processId = await open(one, 7)
    spend(processId, 0.5)
    expect((await ended(record(one), processId)).turnEnd.usd).toBe(0.5)
    spend(processId, 0.25)
    expect((await ended(record(one), processId)).turnEnd.usd).toBe(0.25)
    expect(await store.records.ledger.spent({ principal: null, sessionId: one })).toBeCloseTo(0.75, 9)
  })

  it('whose process died is paid with what it had reported last', async () => {
    const processId = await open(one, 3)
    spend(processId, 0.5)
    await costs.admit(one)
    spend(processId, 100)
    const lost = await costs.recordLostTurn({
      record: record(one),
      turnId: 'lost',
      principal: ownerPrincipal,
      processId,
    })
    expect(lost.turnEnd.usd).toBe(0.5)
    costs.closeProcess(processId)
    expect(await store.records.ledger.spent({ principal: null, sessionId: one })).toBeCloseTo(0.5, 9)
  })

  it('of the demo model costs nothing, whatever its budget', async () => {
    config.sessions.budgetUsd = 0.001
    keep(record(one, { demo: true }))
    const processId = await open(one, 0, { demo: true })
    spend(processId, 5)
    expect(await costs.admit(one)).toEqual({ ok: true })
    // Nor does it count, or keep anybody waiting, in the budget of the day.
    config.budgets.dayUsd = 1
    config.sessions.budgetUsd = 10
    const other = await open(two)
    for (const usd of [0.4, 0.1]) {
      expect(await costs.admit(two)).toEqual({ ok: true })
      spend(other, usd)
      costs.callEnded(two)
    }
    expect(await costs.admit(two)).toEqual({ ok: true })
    const { events: published } = await ended(record(one, { demo: true }), processId)
    expect(published[0]).toMatchObject({ turn_usd: 0, session_usd: 0, demo: true, tokens: { input: 100 } })
    expect(await costs.admit(one)).toEqual({ ok: true })
  })
})

describe('a budget', () => {
  it('warns at its part, and ends at the whole', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    spend(processId, 0.79)
    expect((await ended(record(one), processId)).events[0]).not.toHaveProperty('budget')
    spend(processId, 0.01)
    expect((await ended(record(one), processId)).events[0]).toMatchObject({
      budget: { kind: 'session', limit_usd: 1, used: expect.closeTo(0.8, 6), reached: false },
    })
    expect(await costs.admit(one)).toEqual({ ok: true })
    spend(processId, 0.2)
    expect((await ended(record(one), processId)).events[0]).toMatchObject({ budget: { reached: true } })
    expect(await costs.admit(one)).toEqual({ ok: false, message: expect.stringContaining('$1.00 of $1.00') })
  })

  it('counts the running turn before each call: at most one call goes past it', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    let calls = 0
    for (; calls < 100; calls++) {
      const admission = await costs.admit(one)
      if (!admission.ok) break
      spend(processId, 0.3)
      costs.callEnded(one)
    }
    expect(calls).toBe(4)
    expect(costs.refusalOf(one)).toEqual({
      reason: expect.objectContaining({
        message: expect.stringContaining('This session’s budget is used up: $1.20 of $1.00.'),
      }),
      reasonCode: 'session_budget',
    })
    // People were notified on the way, in the middle of the turn.
    expect(events.map((event) => event.type === 'cost_update' && event.budget?.reached)).toEqual([
      false,
      true,
    ])
    await ended(record(one), processId)
    expect(costs.refusalOf(one)).toBeUndefined()
  })

  it('lets calls go one after the other near its end', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    for (const usd of [0.3, 0.3]) {
      await costs.admit(one)
      spend(processId, usd)
      costs.callEnded(one)
    }
    // 0.6 are used and a call costs 0.3: two at once could pass the end by more than one call.
    const outcomes: string[] = []
    const begin = async () => {
      outcomes.push((await costs.admit(one)).ok ? 'begun' : 'refused')
    }
    const all = [begin(), begin(), begin()]
    // Checks are made one after the other: when these are through, those of all three are.
    const settle = async () => {
      for (let check = 0; check < 3; check++) await costs.check(one)
    }
    await settle()
    expect(outcomes).toEqual(['begun'])
    spend(processId, 0.3)
    costs.callEnded(one)
    await settle()
    expect(outcomes).toEqual(['begun', 'begun'])
    spend(processId, 0.3)
    costs.callEnded(one)
    await Promise.all(all)
    expect(outcomes).toEqual(['begun', 'begun', 'refused'])
  })

  it('is looked at again when a call has ended while it was looked at', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    await costs.admit(one)
    spend(processId, 0.6)
    let finish = () => {}
    const held = new Promise<void>((resolve) => {
      const { spent } = store.records.ledger
      store.records.ledger.spent = async (filter) => {
        const usd = await spent(filter)
        resolve()
        await new Promise<void>((go) => {
          finish = go
        })
        store.records.ledger.spent = spent
        return usd
      }
    })
    const second = costs.admit(one)
    await held
    spend(processId, 0.6)
    costs.callEnded(one)
    finish()
    expect((await second).ok).toBe(false)
  })

  it('does not stop others for good when a call is never ended', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    await costs.admit(one)
    spend(processId, 0.5)
    const second = costs.admit(one)
    let done = false
    void second.then(() => {
      done = true
    })
    await store.records.ledger.spent({ principal: null })
    expect(done).toBe(false)
    while (!done) {
      clock.advance(60_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await second).toEqual({ ok: true })
  })

  it('of the day counts all sessions, and begins anew at midnight UTC', async () => {
    config.budgets.dayUsd = 1
    const first = await open(one)
    const second = await open(two)
    spend(first, 0.6)
    await ended(record(one), first)
    await costs.admit(two)
    spend(second, 0.5)
    costs.callEnded(two)
    expect(await costs.admit(one)).toEqual({
      ok: false,
      message: expect.stringContaining('Today’s budget'),
    })
    await ended(record(two), second)
    expect((await costs.admit(two)).ok).toBe(false)
    clock.advance(12 * 3_600_000)
    expect((await costs.admit(two)).ok).toBe(true)
  })

  it('is published to whoever comes later, with the limits and totals of then', async () => {
    expect(await costs.current(one)).toBeUndefined()
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    spend(processId, 0.4)
    await ended(record(one), processId)
    spend(processId, 0.5)
    const [published] = (await ended(record(one), processId)).events
    expect({ type: 'cost_update', ...(await costs.current(one)) }).toEqual(published)
    // A turn that runs counts, as far as it is known.
    spend(processId, 0.2)
    await costs.check(one)
    expect(await costs.current(one)).toMatchObject({
      turn_usd: expect.closeTo(0.2, 6),
      session_usd: expect.closeTo(1.1, 6),
      budget: { reached: true },
    })
    await ended(record(one), processId)
    costs.closeProcess(processId)
    clock.advance(12 * 3_600_000)
    config.sessions.budgetUsd = 2
    expect(await costs.current(one)).toEqual({
      turn_id: expect.any(String),
      turn_usd: expect.closeTo(0.2, 6),
      session_usd: expect.closeTo(1.1, 6),
      day_usd: 0,
      tokens: expect.any(Object),
      demo: false,
    })
  })

  it('that is raised is published at once, and warns again', async () => {
    config.sessions.budgetUsd = 1
    const processId = await open(one)
    spend(processId, 0.9)
    await ended(record(one), processId)
    keep(record(one, { budgetUsd: 2 }))
    await costs.limitsChanged(two)
    expect(events).toEqual([])
    await costs.limitsChanged(one)
    expect(events).toEqual([expect.not.objectContaining({ budget: expect.anything() })])
    spend(processId, 0.8)
    await costs.admit(one)
    expect(events.at(-1)).toMatchObject({ budget: { limit_usd: 2, reached: false } })
  })

  it('of a session goes before the default, and 0 is none', async () => {
    keep(record(one, { budgetUsd: 0.5 }))
    keep(record(two, { budgetUsd: 0 }))
    config.budgets.dayUsd = 0
    const first = await open(one)
    const second = await open(two)
    spend(first, 0.5)
    spend(second, 500)
    await ended(record(one), first)
    await ended(record(two), second)
    expect((await costs.admit(one)).ok).toBe(false)
    expect((await costs.admit(two)).ok).toBe(true)
    expect(await costs.service.budgets(owner())).toEqual([
      { kind: 'session', session_id: one, limit_usd: 0.5, used_usd: 0.5, state: 'reached' },
    ])
  })

  it('holds with what was reported last when the CLI does not answer', async () => {
    config.sessions.budgetUsd = 1
    const usage = { session: { model_usage: { opus: { costUSD: 2 } } } }
    let answers = true
    await costs.openProcess({
      processId: 'p',
      sessionId: one,
      epoch: 1,
      principal: ownerPrincipal,
      isNew: true,
      demo: false,
      readUsage: () => (answers ? Promise.resolve(usage) : Promise.reject(new Error('timed out'))),
      emit: (event) => events.push(event),
    })
    expect((await costs.admit(one)).ok).toBe(false)
    answers = false
    expect((await costs.admit(one)).ok).toBe(false)
  })
})

describe('a turn that runs at another server', () => {
  /** What is used of the day, as this server knows it. */
  const usedAt = async (server: Costs) => (await server.service.budgets(owner()))[0]?.used_usd
  const book = (processId: string) => ended(record(two), processId, ownerPrincipal, others)
  /** A call of its session that cost so much. */
  async function call(processId: string, usd: number): Promise<void> {
    expect(await others.admit(two)).toEqual({ ok: true })
    spend(processId, usd)
    others.callEnded(two)
  }
  /** Lets what the clock has begun come to its end. */
  const settle = async () => {
    for (let step = 0; step < 20; step++) await store.records.ledger.spent({ principal: null })
  }

  it('counts in the budget of the day, from its next call on', async () => {
    config.budgets.dayUsd = 1
    await open(one)
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.6)
    await call(processId, 0.5)
    expect(await usedAt(costs)).toBe(0.6)
    expect((await costs.admit(one)).ok).toBe(true)
    expect((await others.admit(two)).ok).toBe(false)
    expect(await costs.admit(one)).toEqual({ ok: false, message: expect.stringContaining('$1.10 of $1.00') })
  })

  it('counts soon after its call, though no other follows and the CLI knows its cost late', async () => {
    const processId = await open(two, 0, { at: others })
    await call(processId, 0)
    clock.advance(1000)
    await settle()
    expect(await usedAt(costs)).toBe(0)
    spend(processId, 0.6)
    clock.advance(2000)
    await settle()
    expect(await usedAt(costs)).toBe(0.6)
  })

  it('counts soon after its call, though another session was admitted in between', async () => {
    const processId = await open(two, 0, { at: others })
    await open(one, 0, { at: others })
    await call(processId, 0)
    expect(await others.admit(one)).toEqual({ ok: true })
    spend(processId, 0.6)
    clock.advance(1000)
    await settle()
    expect(await usedAt(costs)).toBe(0.6)
  })

  it('counts in the budget of its session, which is listed with those of here, to whom it belongs', async () => {
    config.sessions.budgetUsd = 1
    keep(record(two, { budgetUsd: 2 }))
    await open(one)
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.6)
    await book(processId)
    await call(processId, 0.3)
    await others.check(two)
    const listed = async (actor = owner()) => {
      const budgets = await costs.service.budgets(actor)
      return budgets.flatMap(({ session_id, used_usd }) => (session_id ? [[session_id, used_usd]] : []))
    }
    expect(await listed()).toEqual([
      [one, 0],
      [two, expect.closeTo(0.9, 9)],
    ])
    expect(await listed(guest)).toEqual([])
    await book(processId)
    expect((await listed())[1]).toEqual([two, expect.closeTo(0.9, 9)])
    others.closeProcess(processId)
    await store.coordination.leases.release({ sessionId: two, epoch: 1 }, 'b/1')
    expect(await listed()).toEqual([[one, 0]])
  })

  it('counts once when it is booked, whatever is read before, meanwhile and after', async () => {
    const { runningCosts } = store.coordination
    const { list, report } = runningCosts
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.6)
    await others.check(two)
    // Booked after this server has read what runs, and before it reads the ledger.
    runningCosts.list = async () => {
      const running = await list()
      runningCosts.list = list
      await book(processId)
      return running
    }
    expect(await usedAt(costs)).toBe(0.6)
    expect(await usedAt(costs)).toBe(0.6)
    await call(processId, 0.3)
    await others.check(two)
    // In the ledger, and still reported as running.
    runningCosts.report = async (...cost) => {
      runningCosts.report = report
      expect(await usedAt(costs)).toBeCloseTo(0.9, 9)
      await report(...cost)
    }
    await book(processId)
    expect(runningCosts.report).toBe(report)
    expect(await usedAt(costs)).toBeCloseTo(0.9, 9)
    expect(await usedAt(others)).toBeCloseTo(0.9, 9)
    await call(processId, 0.1)
    await others.check(two)
    expect(await usedAt(costs)).toBeCloseTo(1, 9)
  })

  it('counts no more when its process is gone without a turn, or its owner', async () => {
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.6)
    await others.check(two)
    expect(await usedAt(costs)).toBe(0.6)
    others.closeProcess(processId)
    await settle()
    expect(await usedAt(costs)).toBe(0)
    const again = await open(two, 7, { at: others })
    await call(again, 0.4)
    await others.check(two)
    expect(await usedAt(costs)).toBeCloseTo(0.4, 9)
    clock.advance(leaseMs)
    expect(await usedAt(costs)).toBe(0)
  })

  it('is written once for each call, and for its end', async () => {
    const { runningCosts } = store.coordination
    const { report } = runningCosts
    const written: number[] = []
    runningCosts.report = async (sessionId, epoch, cost) => {
      written.push(cost.usd)
      await report(sessionId, epoch, cost)
    }
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.5)
    await call(processId, 0.25)
    for (let check = 0; check < 3; check++) await others.check(two)
    await book(processId)
    await others.check(two)
    others.closeProcess(processId)
    await settle()
    expect(written).toEqual([0.5, 0.75, 0])
  })

  it('goes on where its cost cannot be reported', async () => {
    store.coordination.runningCosts.report = () => Promise.reject(new Error('unreachable'))
    const processId = await open(two, 0, { at: others })
    await call(processId, 0.5)
    await call(processId, 0.5)
    expect((await book(processId)).turnEnd.usd).toBe(1)
    expect(await usedAt(costs)).toBe(1)
  })
})

describe('reports', () => {
  it('sum up by day, workspace, model and session', async () => {
    const first = await open(one)
    const second = await open(two)
    spend(first, 1)
    spend(first, 0.5, 'haiku')
    await ended(record(one), first)
    clock.advance(24 * 3_600_000)
    spend(second, 2)
    await ended(record(two, { workspaceId: 'ws_2' }), second)
    const keys = async (group: 'day' | 'workspace' | 'model' | 'session') => {
      const report = costReportSchema.parse(await costs.service.report(owner(), { group }))
      expect(report.total).toMatchObject({ usd: 3.5, turns: 2 })
      return Object.fromEntries(report.totals.map(({ key, usd }) => [key, usd]))
    }
    expect(await keys('day')).toEqual({ '2026-03-01': 1.5, '2026-03-02': 2 })
    expect(await keys('workspace')).toEqual({ ws_1: 1.5, ws_2: 2 })
    expect(await keys('model')).toEqual({ opus: 3, haiku: 0.5 })
    expect(await keys('session')).toEqual({ [one]: 1.5, [two]: 2 })
    const from = '2026-03-02T00:00:00.000Z'
    expect((await costs.service.report(owner(), { group: 'day', from })).total.usd).toBe(2)
  })

  it('are of what each person caused, in whosever session', async () => {
    const processId = await open(one)
    spend(processId, 1)
    await ended(record(one), processId)
    spend(processId, 2)
    await ended(record(one), processId, guest.principal)
    for (const [actor, usd] of [
      [owner(), 1],
      [guest, 2],
    ] as const) {
      expect((await costs.service.report(actor, { group: 'session' })).total).toMatchObject({ usd, turns: 1 })
      const { entries } = await costs.service.entries(actor, { limit: 10 })
      expect(entries).toMatchObject([{ usd, principal: actor.principal }])
    }
    expect((await costs.service.budgets(guest)).map(({ kind }) => kind)).toEqual(['day'])
    expect((await costs.service.budgets(owner())).map(({ kind }) => kind)).toEqual(['day', 'session'])
  })

  it('page through the ledger', async () => {
    const processId = await open(one)
    for (let turn = 0; turn < 5; turn++) {
      spend(processId, 0.1)
      await ended(record(one), processId)
    }
    const page = await costs.service.entries(owner(), { limit: 3 })
    const rest = await costs.service.entries(owner(), { limit: 3, before: page.before ?? 0 })
    expect([page.entries.length, rest.entries.length, rest.before]).toEqual([3, 2, undefined])
  })
})
