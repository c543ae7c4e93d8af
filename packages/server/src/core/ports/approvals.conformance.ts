/** What every approval store keeps to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Coordination, type LeaseGrant, type Settlement, StaleEpochError } from './coordination.ts'
import {
  acquire,
  type CoordinationSubject,
  createManualClock,
  newApproval,
  newSessionId,
  type OpenCoordination,
} from './fixtures.conformance.ts'

const now = '2025-06-01T13:00:00.500Z'

function settlement(more: Partial<Settlement> = {}): Settlement {
  return { state: 'allowed', decidedAt: now, decidedBy: { kind: 'person', principal: 'owner' }, ...more }
}

export function approvalsConformance(name: string, open: OpenCoordination): void {
  describe(`${name}: approvals`, () => {
    let subject: CoordinationSubject
    let coordination: Coordination
    beforeAll(async () => {
      subject = await open(createManualClock())
      coordination = subject.coordination
    })
    afterAll(() => subject.close())
    const get = () => coordination

    describe('open and list', () => openTests(get))
    describe('settle', () => settleTests(get))
    describe('void', () => voidTests(get))

    it('keeps them when opened again', async (context) => {
      if (!subject.reopen) return context.skip()
      const grant = await acquire(coordination, newSessionId())
      const approval = newApproval(grant.sessionId)
      await coordination.approvals.open(approval, grant.epoch)
      coordination = await subject.reopen()
      expect(await coordination.approvals.get(approval.id)).toEqual(approval)
    })
  })
}

function openTests(get: () => Coordination): void {
  it('stores a pending approval as it is', async () => {
    const grant = await acquire(get(), newSessionId())
    const approval = newApproval(grant.sessionId, { reason: 'why', tool_call_id: 'toolu_1' })
    await get().approvals.open(approval, grant.epoch)
    expect(await get().approvals.get(approval.id)).toEqual(approval)
    expect(await get().approvals.get('apr_unknown00')).toBeUndefined()
  })

  it('refuses one of a stale owner, one that is there, and one that is decided', async () => {
    const old = await acquire(get(), newSessionId())
    const grant = await acquire(get(), old.sessionId)
    const approval = newApproval(grant.sessionId)
    await expect(get().approvals.open(approval, old.epoch)).rejects.toBeInstanceOf(StaleEpochError)
    expect(await get().approvals.get(approval.id)).toBeUndefined()
    await get().approvals.open(approval, grant.epoch)
    await expect(get().approvals.open(approval, grant.epoch)).rejects.toMatchObject({ code: 'conflict' })
    const decided = newApproval(grant.sessionId, { state: 'allowed' })
    await expect(get().approvals.open(decided, grant.epoch)).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('lists those that were made by a time', async () => {
    const { sessionId, epoch } = await acquire(get(), newSessionId())
    const times = ['2025-06-01T10:00:00.000Z', '2025-06-01T11:00:00.000Z', '2025-06-01T12:00:00.000Z']
    for (const created_at of times) await get().approvals.open(newApproval(sessionId, { created_at }), epoch)
    const found = await get().approvals.list({
      principal: null,
      sessionId,
      until: '2025-06-01T11:00:00.000Z',
      limit: 10,
    })
    expect(found.map((approval) => approval.created_at)).toEqual([times[1], times[0]])
  })

  it('lists pending ones oldest first and others newest first', async () => {
    const grant = await acquire(get(), newSessionId())
    const other = await acquire(get(), newSessionId())
    const opened = [1, 2, 3].map(() => newApproval(grant.sessionId))
    for (const approval of opened) await get().approvals.open(approval, grant.epoch)
    await get().approvals.open(newApproval(other.sessionId), other.epoch)
    const ids = opened.map(({ id }) => id)
    const list = async (state?: 'pending' | 'allowed' | 'denied', limit = 10) =>
      (
        await get().approvals.list({
          principal: null,
          sessionId: grant.sessionId,
          limit,
          ...(state !== undefined && { state }),
        })
      ).map(({ id }) => id)
    expect(await list('pending')).toEqual(ids)
    expect(await list('pending', 2)).toEqual(ids.slice(0, 2))
    expect(await list()).toEqual(ids.toReversed())
    for (const id of ids.slice(0, 2)) await get().approvals.settle(id, settlement(), { now })
    expect(await list('pending')).toEqual(ids.slice(2))
    expect(await list('allowed')).toEqual([ids[1], ids[0]])
    expect(await list('denied')).toEqual([])
    expect((await get().approvals.list({ principal: null, limit: 1000 })).length).toBeGreaterThanOrEqual(4)
  })

  it('lists and counts those of one principal, or of all', async () => {
    const { sessionId, epoch } = await acquire(get(), newSessionId())
    const [owners, guests] = [newApproval(sessionId), newApproval(sessionId, { principal: 'guest' })]
    for (const approval of [owners, guests]) await get().approvals.open(approval, epoch)
    const found = async (principal: string | null) => {
      const listed = await get().approvals.list({ principal, sessionId, limit: 10 })
      const counted = (await get().approvals.countPending(principal)).get(sessionId) ?? 0
      return { ids: listed.map(({ id }) => id), counted }
    }
    expect(await found('owner')).toEqual({ ids: [owners.id], counted: 1 })
    expect(await found('guest')).toEqual({ ids: [guests.id], counted: 1 })
    expect(await found(null)).toEqual({ ids: [guests.id, owners.id], counted: 2 })
    expect(await found('')).toEqual({ ids: [], counted: 0 })
  })

  it('counts what is pending by session, and forgets a session', async () => {
    const grant = await acquire(get(), newSessionId())
    const approvals = [1, 2].map(() => newApproval(grant.sessionId))
    for (const approval of approvals) await get().approvals.open(approval, grant.epoch)
    expect((await get().approvals.countPending(null)).get(grant.sessionId)).toBe(2)
    await get().approvals.settle(approvals[0]?.id ?? '', settlement(), { now })
    expect((await get().approvals.countPending(null)).get(grant.sessionId)).toBe(1)
    await get().approvals.remove(grant.sessionId)
    expect((await get().approvals.countPending(null)).has(grant.sessionId)).toBe(false)
    expect(await get().approvals.list({ principal: null, sessionId: grant.sessionId, limit: 10 })).toEqual([])
  })
}

function settleTests(get: () => Coordination): void {
  async function opened(deadline?: string) {
    const grant: LeaseGrant = await acquire(get(), newSessionId())
    const approval = newApproval(grant.sessionId, deadline === undefined ? {} : { deadline })
    await get().approvals.open(approval, grant.epoch)
    return approval
  }

  it('records who decided what, once', async () => {
    const approval = await opened()
    const answer = settlement({
      message: 'go',
      edited: true,
      answer: { a: 1 },
      updatedInput: { command: 'pwd' },
      scope: 'session',
      ruleId: 'rule_1',
    })
    const expected = {
      ...approval,
      state: 'allowed',
      decided_at: now,
      decided_by: { kind: 'person', principal: 'owner' },
      message: 'go',
      edited: true,
      updated_input: { command: 'pwd' },
      scope: 'session',
      rule_id: 'rule_1',
      answer: { a: 1 },
    }
    const expect1 = { inputHash: approval.input_hash, now }
    expect(await get().approvals.settle(approval.id, answer, expect1)).toEqual({
      won: true,
      approval: expected,
    })
    const late = settlement({ state: 'denied', decidedBy: { kind: 'deadline' } })
    expect(await get().approvals.settle(approval.id, late, { now })).toEqual({
      won: false,
      approval: expected,
    })
    expect(await get().approvals.get(approval.id)).toEqual(expected)
    expect(await get().approvals.settle('apr_unknown00', answer, { now })).toBeUndefined()
  })

  it('has exactly one winner of a thousand answers', async () => {
    const approval = await opened()
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        get().approvals.settle(
          approval.id,
          settlement({
            state: index % 2 === 0 ? 'allowed' : 'denied',
            decidedBy: { kind: 'person', token_id: `token-${index}` },
          }),
          { now },
        ),
      ),
    )
    const winners = answers.filter((answer) => answer?.won)
    expect(winners).toHaveLength(1)
    for (const answer of answers) expect(answer?.approval).toEqual(winners[0]?.approval)
  })

  it('refuses an answer to another input than the one that was shown', async () => {
    const approval = await opened()
    const answer = await get().approvals.settle(approval.id, settlement(), { inputHash: 'another', now })
    expect(answer).toEqual({ won: false, approval })
    expect(await get().approvals.get(approval.id)).toEqual(approval)
  })

  it.each(['2025-06-01T13:00:00.499Z', '2025-06-01T13:00:00Z'])(
    'refuses an answer after the deadline %s, but lets it expire',
    async (deadline) => {
      const approval = await opened(deadline)
      for (const state of ['allowed', 'denied'] as const)
        expect(await get().approvals.settle(approval.id, settlement({ state }), { now })).toEqual({
          won: false,
          approval,
        })
      const expired = settlement({ state: 'expired', decidedBy: { kind: 'deadline' } })
      expect(await get().approvals.settle(approval.id, expired, { now })).toMatchObject({
        won: true,
        approval: { state: 'expired', decided_by: { kind: 'deadline' } },
      })
    },
  )

  it('accepts an answer at the deadline itself', async () => {
    const approval = await opened(now)
    expect(await get().approvals.settle(approval.id, settlement(), { now })).toMatchObject({ won: true })
  })
}

function voidTests(get: () => Coordination): void {
  it('voids what older epochs left pending, and nothing else', async () => {
    const first = await acquire(get(), newSessionId())
    const other = await acquire(get(), newSessionId())
    const [decided, left, foreign] = [
      newApproval(first.sessionId),
      newApproval(first.sessionId),
      newApproval(other.sessionId),
    ]
    for (const approval of [decided, left]) await get().approvals.open(approval, first.epoch)
    await get().approvals.open(foreign, other.epoch)
    await get().approvals.settle(decided.id, settlement(), { now })
    const second = await acquire(get(), first.sessionId)
    const current = newApproval(first.sessionId)
    await get().approvals.open(current, second.epoch)

    const reason = {
      decidedAt: now,
      decidedBy: { kind: 'server' as const },
      message: 'the server was restarted',
    }
    const voided = await get().approvals.voidBefore(first.sessionId, second.epoch, reason)
    const expected = {
      ...left,
      state: 'void',
      decided_at: now,
      decided_by: { kind: 'server' },
      message: 'the server was restarted',
    }
    expect(voided).toEqual([expected])
    expect(await get().approvals.get(left.id)).toEqual(expected)
    expect((await get().approvals.get(decided.id))?.state).toBe('allowed')
    expect(await get().approvals.get(current.id)).toEqual(current)
    expect(await get().approvals.get(foreign.id)).toEqual(foreign)
    expect(await get().approvals.voidBefore(first.sessionId, second.epoch, reason)).toEqual([])
  })
}
