import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkerDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

it('lets workspaces that were trusted before content was looked at ask again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dorkos-trust-migration-'))
  const database = new WorkerDatabase(join(folder, 'test.db'))
  try {
    const before = migrations.findIndex((sql) => sql.includes('workspace_trust'))
    migrate(database, migrations.slice(0, before))
    const rows = [
      { id: 'ws_trusted', path: '/a \u{1F600}', trusted: true, main: true },
      { id: 'ws_other', path: '/b', trusted: false, main: false },
    ]
    for (const row of rows)
      database.run('INSERT INTO workspaces (id, record) VALUES (?, ?)', row.id, JSON.stringify(row))
    migrate(database)
    const records = database
      .all<{ record: string }>('SELECT record FROM workspaces ORDER BY number')
      .map(({ record }) => JSON.parse(record))
    expect(records).toEqual([
      { ...rows[0], trusted: false, trust: 'changed' },
      { ...rows[1], trusted: false, trust: 'untrusted' },
    ])
    expect(database.get('SELECT id FROM workspaces WHERE main = 1')).toMatchObject({ id: 'ws_trusted' })
  } finally {
    database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
