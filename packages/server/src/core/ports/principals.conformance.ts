/** What every store of records keeps apart by principal. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { newAuditEntry, newLedgerEntry } from './audit-and-ledger.conformance.ts'
import { later, newRule, newSessionId, newToken } from './fixtures.conformance.ts'
import type { Records } from './records.ts'
import { newSession } from './session-records.conformance.ts'

export function principalTests(get: () => Records): void {
  it('sessions', async () => {
    const workspaceId = randomUUID()
    const [owners, guests] = [newSession({ workspaceId }), newSession({ workspaceId, principal: 'guest' })]
    for (const session of [owners, guests]) await get().sessions.create(session)
    const list = async (principal: string | null) =>
      new Set((await get().sessions.list({ principal, workspaceId, limit: 10 })).map(({ id }) => id))
    expect(await list('owner')).toEqual(new Set([owners.id]))
    expect(await list('guest')).toEqual(new Set([guests.id]))
    expect(await list('')).toEqual(new Set())
    expect(await list(null)).toEqual(new Set([owners.id, guests.id]))
  })

  it('lines of the audit log', async () => {
    const session_id = newSessionId()
    await get().audit.append(
      ['owner', 'guest', 'server', '%'].map((principal) => newAuditEntry({ session_id, principal })),
    )
    const list = async (...principals: string[]) =>
      (await get().audit.list({ principals, sessionId: session_id, limit: 10 })).map(
        ({ principal }) => principal,
      )
    expect(await list('owner')).toEqual(['owner'])
    expect(await list('guest', 'server')).toEqual(['server', 'guest'])
    expect(await list('%')).toEqual(['%'])
    expect(await list()).toEqual([])
  })

  it('rows and totals of the ledger', async () => {
    const base = { session_id: newSessionId(), time: '2032-01-01T10:00:00.000Z' }
    await get().ledger.append([newLedgerEntry({ ...base, usd: 1 })])
    await get().ledger.append([newLedgerEntry({ ...base, usd: 2, principal: 'guest' })])
    const found = async (principal: string | null) =>
      (await get().ledger.list({ principal, sessionId: base.session_id, limit: 10 })).map(({ usd }) => usd)
    expect(await found('owner')).toEqual([1])
    expect(await found('guest')).toEqual([2])
    expect(await found('')).toEqual([])
    expect(await found(null)).toEqual([2, 1])
    const totals = async (principal: string) =>
      (await get().ledger.totals({ principal, group: 'session', from: '2032-01-01T00:00:00Z' })).map(
        ({ usd, turns }) => ({ usd, turns }),
      )
    expect(await totals('owner')).toEqual([{ usd: 1, turns: 1 }])
    expect(await totals('guest')).toEqual([{ usd: 2, turns: 1 }])
    expect(await totals('')).toEqual([])
    // A budget is about all that a session costs, whoever caused it.
    const spent = (principal: string | null) =>
      get().ledger.spent({ principal, sessionId: base.session_id, from: '2032-01-01T00:00:00Z' })
    expect(await spent(null)).toBe(3)
    expect(await spent('owner')).toBe(1)
    expect(await spent('guest')).toBe(2)
    expect(await spent('')).toBe(0)
  })

  it('rules', async () => {
    const [owners, guests] = [newRule(), { ...newRule(), principal: 'guest' }]
    for (const rule of [owners, guests]) await get().rules.create(rule)
    await get().rules.revoke(guests.id, later)
    const list = async (principal: string | null, revoked: boolean) => {
      const ids = (await get().rules.list({ principal, revoked })).map(({ id }) => id)
      return [owners.id, guests.id].filter((id) => ids.includes(id))
    }
    expect(await list('owner', true)).toEqual([owners.id])
    expect(await list('guest', true)).toEqual([guests.id])
    expect(await list('guest', false)).toEqual([])
    expect(await list('', true)).toEqual([])
    expect(await list(null, true)).toEqual([owners.id, guests.id])
  })

  it('tokens', async () => {
    const [owners, guests] = [newToken(), { ...newToken(), principal: 'guest' }]
    for (const token of [owners, guests]) await get().tokens.create(token)
    const list = async (principal: string | null) => {
      const ids = (await get().tokens.list({ principal })).map(({ id }) => id)
      return [owners.id, guests.id].filter((id) => ids.includes(id))
    }
    expect(await list('owner')).toEqual([owners.id])
    expect(await list('guest')).toEqual([guests.id])
    expect(await list('')).toEqual([])
    expect(await list(null)).toEqual([owners.id, guests.id])
  })
}
