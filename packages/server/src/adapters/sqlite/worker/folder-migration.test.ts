import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WorkerDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'

it('lets sessions outside of workspaces that were made before folders were confirmed ask once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dorkos-folder-migration-'))
  const database = new WorkerDatabase(join(folder, 'test.db'))
  try {
    const before = migrations.findIndex((sql) => sql.includes('folderConfirmed'))
    migrate(database, migrations.slice(0, before))
    const rows = [
      {
        id: 'inside',
        workspaceId: 'ws_1',
        principal: 'owner',
        updatedAt: '1',
        archived: false,
        pinned: false,
      },
      { id: 'outside', principal: 'owner', updatedAt: '2', archived: false, pinned: false },
    ]
    for (const row of rows)
      database.run('INSERT INTO sessions (id, record) VALUES (?, ?)', row.id, JSON.stringify(row))
    migrate(database)
    const records = database
      .all<{ record: string }>('SELECT record FROM sessions ORDER BY id')
      .map(({ record }) => JSON.parse(record))
    expect(records).toEqual([
      { ...rows[0], folderConfirmed: true },
      { ...rows[1], folderConfirmed: false },
    ])
  } finally {
    database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
