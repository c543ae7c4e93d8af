/** What every audit log and ledger keeps to. */
import { expect, it } from 'vitest'
import { newSessionId, time } from './fixtures.conformance.ts'
import type { NewAuditEntry, NewLedgerEntry, Records } from './records.ts'

type Get = () => Records

export const newAuditEntry = (more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  time,
  action: 'tool_requested',
  tool: 'Bash',
  input: { command: 'ls \u0000 \ud800' },
  principal: 'owner',
  ...more,
})

export const newLedgerEntry = (more: Partial<NewLedgerEntry> = {}): NewLedgerEntry => ({
  time,
  session_id: newSessionId(),
  turn_id: newSessionId(),
  workspace_id: 'ws_main0000',
  principal: 'owner',
  model: 'sonnet',
  usd: 0.25,
  tokens: { input: 1, output: 2, cache_read: 3, cache_write: 4 },
  duration_ms: 1000,
  demo: false,
  ...more,
})

export function auditTests(get: Get): void {
  it('numbers entries without a gap, and chains them', async () => {
    const session_id = newSessionId()
    await Promise.all(Array.from({ length: 20 }, () => get().audit.append([newAuditEntry({ session_id })])))
    await get().audit.append([
      newAuditEntry({ session_id, action: 'a' }),
      newAuditEntry({ session_id, action: 'b' }),
    ])
    const entries = await get().audit.list({ principals: ['owner'], sessionId: session_id, limit: 100 })
    expect(entries).toHaveLength(22)
    const [newest, before] = entries
    const ids = entries.map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, index) => (newest?.id ?? 0) - index))
    expect(newest).toEqual({ ...newAuditEntry({ session_id, action: 'b' }), id: ids[0], hash: newest?.hash })
    expect(before?.action).toBe('a')
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(22)
    expect(await get().audit.verify()).toEqual({ intact: true, entries: newest?.id })
  })

  it('knows whether something ever happened, to whomever', async () => {
    const action = `rare_${newSessionId()}`
    expect(await get().audit.has(action)).toBe(false)
    await get().audit.append([newAuditEntry({ action, principal: 'somebody' })])
    expect(await get().audit.has(action)).toBe(true)
  })

  it('lists by session, tool and action, in pages', async () => {
    const session_id = newSessionId()
    const base = { session_id }
    await get().audit.append([
      newAuditEntry(base),
      newAuditEntry({ ...base, tool: 'Read' }),
      newAuditEntry({ ...base, action: 'tool_decided', decision: 'deny', decided_by: { kind: 'rule' } }),
      newAuditEntry({ session_id: newSessionId() }),
    ])
    const list = async (filter: { tool?: string; action?: string; before?: number; limit?: number }) =>
      get().audit.list({ principals: ['owner'], sessionId: session_id, limit: 10, ...filter })
    const all = await list({})
    expect(all.map(({ tool, action }) => `${tool} ${action}`)).toEqual([
      'Bash tool_decided',
      'Read tool_requested',
      'Bash tool_requested',
    ])
    expect(await list({ tool: 'Read' })).toEqual(all.slice(1, 2))
    expect(await list({ tool: 'rEAD' })).toEqual(all.slice(1, 2))
    expect(await list({ tool: 'Rea' })).toEqual([])
    expect(await list({ action: 'tool_requested' })).toEqual(all.slice(1))
    expect(await list({ action: 'tool_requested', tool: 'Bash' })).toEqual(all.slice(2))
    expect(await list({ limit: 1 })).toEqual(all.slice(0, 1))
    expect(await list({ before: all[0]?.id ?? 0 })).toEqual(all.slice(1))
    expect((await get().audit.list({ principals: ['owner'], limit: 1000 })).length).toBeGreaterThanOrEqual(4)
  })

  it('lists what happened in a workspace, and what was done to it', async () => {
    const [id, other] = ['ws_1234567a', 'ws_1234567b']
    await get().audit.append([
      newAuditEntry({ action: 'workspace_created', detail: { id, name: 'site' } }),
      newAuditEntry({ workspace_id: id }),
      newAuditEntry({ workspace_id: other }),
      newAuditEntry({ action: 'workspace_changed', detail: { workspace_id: id } }),
      newAuditEntry({ action: 'rule_created', detail: { id } }),
      newAuditEntry({ action: 'token_created', detail: 'none' }),
    ])
    const found = await get().audit.list({ principals: ['owner'], workspaceId: id, limit: 10 })
    expect(found.map(({ action }) => action)).toEqual([
      'workspace_changed',
      'tool_requested',
      'workspace_created',
    ])
    expect(await get().audit.list({ principals: ['owner'], workspaceId: 'ws_00000000', limit: 10 })).toEqual(
      [],
    )
  })

  it('checks more entries than fit in one piece', async () => {
    const entries = Array.from({ length: 2500 }, () => newAuditEntry())
    await get().audit.append(entries)
    expect(await get().audit.verify()).toMatchObject({ intact: true })
  })
}

export function ledgerTests(get: Get): void {
  it('adds the rows of a turn once', async () => {
    const entry = newLedgerEntry()
    const rows = [entry, { ...entry, model: 'haiku', usd: 0.5 }]
    await Promise.all([1, 2, 3].map(() => get().ledger.append(rows)))
    await get().ledger.append([{ ...entry, model: 'opus' }])
    const listed = await get().ledger.list({ principal: null, sessionId: entry.session_id, limit: 10 })
    expect(listed).toEqual(rows.toReversed().map((row) => ({ ...row, id: expect.any(Number) })))
    expect(await get().ledger.spent({ principal: null, sessionId: entry.session_id })).toBe(0.75)
    const next = { ...entry, turn_id: newSessionId() }
    await get().ledger.append([entry, next])
    expect(await get().ledger.list({ principal: null, sessionId: entry.session_id, limit: 10 })).toHaveLength(
      3,
    )
    const [newest] = await get().ledger.list({ principal: null, sessionId: entry.session_id, limit: 1 })
    const older = await get().ledger.list({
      principal: null,
      sessionId: entry.session_id,
      before: newest?.id ?? 0,
      limit: 10,
    })
    expect(older).toEqual(listed)
  })

  spentTests(get)

  it('adds up by day, workspace, model and session', async () => {
    const session_id = newSessionId()
    const turn_id = newSessionId()
    const at = (day: string) => `2031-01-${day}T10:00:00.000Z`
    await get().ledger.append([
      newLedgerEntry({ session_id, turn_id, time: at('01'), usd: 1 }),
      newLedgerEntry({ session_id, turn_id, time: at('01'), usd: 2, model: 'haiku' }),
      newLedgerEntry({ session_id, time: at('02'), usd: 4, workspace_id: 'ws_other000' }),
      newLedgerEntry({ session_id, time: at('02'), usd: 0, demo: true }),
      newLedgerEntry({ session_id, time: at('03'), usd: 8 }),
    ])
    const range = { from: '2031-01-01T00:00:00Z', to: '2031-01-03T00:00:00Z' }
    const totals = async (group: 'day' | 'workspace' | 'model' | 'session', demo?: boolean) =>
      (
        await get().ledger.totals({
          principal: 'owner',
          group,
          ...range,
          ...(demo !== undefined && { demo }),
        })
      ).map(({ key, usd, turns }) => ({ key, usd, turns }))
    expect(await totals('day')).toEqual([
      { key: '2031-01-01', usd: 3, turns: 1 },
      { key: '2031-01-02', usd: 4, turns: 2 },
    ])
    expect(await totals('day', false)).toEqual([
      { key: '2031-01-01', usd: 3, turns: 1 },
      { key: '2031-01-02', usd: 4, turns: 1 },
    ])
    expect(await totals('workspace', false)).toEqual([
      { key: 'ws_other000', usd: 4, turns: 1 },
      { key: 'ws_main0000', usd: 3, turns: 1 },
    ])
    expect(await totals('model')).toEqual([
      { key: 'sonnet', usd: 5, turns: 3 },
      { key: 'haiku', usd: 2, turns: 1 },
    ])
    const [session] = await get().ledger.totals({ principal: 'owner', group: 'session', ...range })
    expect(session).toEqual({
      key: session_id,
      usd: 7,
      turns: 3,
      tokens: { input: 4, output: 8, cache_read: 12, cache_write: 16 },
    })
  })
}

function spentTests(get: Get): void {
  it('counts real money only as spent', async () => {
    const session_id = newSessionId()
    await get().ledger.append([
      newLedgerEntry({ session_id, usd: 1, time: '2025-05-31T23:59:59.999Z' }),
      newLedgerEntry({ session_id, usd: 2, time: '2025-06-01T00:00:00.000Z' }),
      newLedgerEntry({ session_id, usd: 64, demo: true }),
    ])
    expect(await get().ledger.spent({ principal: null, sessionId: session_id })).toBe(3)
    expect(
      await get().ledger.spent({ principal: null, sessionId: session_id, from: '2025-06-01T00:00:00Z' }),
    ).toBe(2)
    expect(await get().ledger.spent({ principal: null, sessionId: newSessionId() })).toBe(0)
    const all = await get().ledger.spent({ principal: null })
    await get().ledger.append([newLedgerEntry({ usd: 4 }), newLedgerEntry({ usd: 8, demo: true })])
    expect(await get().ledger.spent({ principal: null })).toBe(all + 4)
  })

  it('counts of some sessions what was booked up to a row, and all of others', async () => {
    const [one, two] = [newSessionId(), newSessionId()]
    const { ledger } = get()
    const all = await ledger.spent({ principal: null })
    const newest = async (sessionId: string) =>
      (await ledger.list({ principal: null, sessionId, limit: 1 }))[0]?.id ?? 0
    const book = (session_id: string, usd: number) => ledger.append([newLedgerEntry({ session_id, usd })])
    await book(one, 1)
    const upTo = [one, two].map(async (sessionId) => ({ sessionId, bookedTo: await newest(sessionId) }))
    const then = await Promise.all(upTo)
    await book(one, 2)
    await book(two, 4)
    expect(await ledger.spent({ principal: null, upTo: then })).toBe(all + 1)
    expect(await ledger.spent({ principal: null, upTo: then.slice(0, 1) })).toBe(all + 5)
    expect(await ledger.spent({ principal: null, sessionId: one, upTo: then })).toBe(1)
    expect(await ledger.spent({ principal: null, upTo: [] })).toBe(all + 7)
  })
}
