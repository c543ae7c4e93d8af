import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { recordsConformance } from '../../core/ports/records.conformance.ts'
import type { NewAuditEntry } from '../../core/ports/records.ts'
import { openTestStore } from './test-store.conformance.ts'

recordsConformance('SQLite', async (clock) => {
  const test = await openTestStore({ clock })
  return {
    records: test.store.records,
    reopen: async () => (await test.reopen()).records,
    close: test.close,
  }
})

describe('an audit log that somebody changed', () => {
  const changes: [what: string, sql: string, firstFault: number][] = [
    ['an edited entry', `UPDATE audit SET entry = replace(entry, 'deny', 'allow') WHERE id = 3`, 3],
    ['a removed entry', 'DELETE FROM audit WHERE id = 3', 3],
    ['a removed first entry', 'DELETE FROM audit WHERE id = 1', 1],
    ['removed last entries', 'DELETE FROM audit WHERE id >= 5', 5],
    ['no entries at all', 'DELETE FROM audit', 1],
    [
      'a swapped pair',
      'UPDATE audit SET id = CASE id WHEN 2 THEN 30 ELSE id END; UPDATE audit SET id = 2 WHERE id = 3; UPDATE audit SET id = 3 WHERE id = 30',
      2,
    ],
    [
      'an added entry',
      `INSERT INTO audit (id, entry, hash) SELECT 7, entry, hash FROM audit WHERE id = 6`,
      7,
    ],
    ['a removed head', 'DELETE FROM audit_head', 7],
  ]

  it.each(changes)('is found out: %s', async (_what, sql, firstFault) => {
    const test = await openTestStore()
    try {
      const entry: NewAuditEntry = {
        time: '2025-06-01T12:00:00.000Z',
        action: 'tool_decided',
        decision: 'deny',
        principal: 'owner',
      }
      await test.store.records.audit.append(Array.from({ length: 6 }, () => entry))
      expect(await test.store.records.audit.verify()).toEqual({ intact: true, entries: 6 })
      await test.store.close()
      const database = new Database(test.path)
      database.exec(sql)
      database.close()
      const { audit } = (await test.reopen()).records
      expect(await audit.verify()).toMatchObject({ intact: false, firstFault })
    } finally {
      await test.close()
    }
  })
})

it('switches and sign-ins of MCP servers have names in their records that every version reads', async () => {
  const test = await openTestStore()
  try {
    const { mcp, workspaces } = test.store.records
    const at = '2025-06-01T12:00:00.000Z'
    const by = { by: 'owner', at }
    const target = { kind: 'workspace' as const, id: 'ws_1' }
    const kind = { trusted: false, trust: 'untrusted', mode: 'host', main: true } as const
    await workspaces.create({ id: target.id, name: 'work', path: '/work', ...kind, created_at: at })
    await mcp.switchOff({ target, server: 'github', ...by })
    const client = { issuer: 'https://a.example', id: 'client', redirectUri: 'http://b.example' }
    await mcp.setSignIn({
      key: 'github-1',
      server: 'github',
      scope: 'project',
      audience: 'ws_1',
      client,
      ...by,
    })
    await test.store.close()
    const database = new Database(test.path)
    const recordOf = (table: string) =>
      JSON.parse((database.prepare(`SELECT record FROM ${table}`).get() as { record: string }).record)
    expect(recordOf('mcp_switches')).toMatchObject({ place: target })
    expect(recordOf('mcp_sign_ins')).toMatchObject({ place: 'ws_1' })
    database.close()
    const again = (await test.reopen()).records.mcp
    expect(await again.switches()).toMatchObject([{ target }])
    expect(await again.signIns()).toMatchObject([{ audience: 'ws_1' }])
  } finally {
    await test.close()
  }
})
