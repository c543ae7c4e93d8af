import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCheckpointer } from './checkpointer-client.ts'
import { WorkerDatabase } from './worker/database.ts'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

it('much that was committed is moved into the database file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dorkos-checkpointer-'))
  const path = join(folder, 'some.db')
  const database = new WorkerDatabase(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (words TEXT)')
  const checkpointer = createCheckpointer(path, quiet)
  try {
    for (let count = 0; count < 400; count++) {
      database.transaction('normal', () => database.run('INSERT INTO t VALUES (?)', 'x'.repeat(1000)))
      checkpointer.wrote()
    }
    await expect.poll(() => statSync(path).size).toBeGreaterThan(300_000)
  } finally {
    await checkpointer.close()
    database.close()
    rmSync(folder, { recursive: true })
  }
})
