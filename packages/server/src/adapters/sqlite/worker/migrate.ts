/** Brings a database file to the schema of this version, one step at a time, with a copy of the file made before. */

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import { WorkerDatabase } from './database.ts'
import { migrations as allMigrations } from './migrations.ts'

/** Marks a file as ours ("DORK"). */
const applicationId = 0x444f524b

export function migrate(database: WorkerDatabase, migrations: readonly string[] = allMigrations): void {
  const version = database.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  const empty = database.get('SELECT 1 AS found FROM sqlite_schema LIMIT 1') === undefined
  if (!empty) checkOrigin(database, version, migrations.length)
  if (version >= migrations.length) return
  if (!empty) {
    const copy = `${database.path}.before-v${migrations.length}`
    rmSync(copy, { force: true })
    backup(database, copy)
    removeSignIns(copy)
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue
    database.transaction('full', () => {
      database.exec(sql)
      database.exec(`PRAGMA application_id = ${applicationId}`)
      database.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}

/** The copy is kept for long, and nobody revokes what is in it: whoever restores it signs in again. */
function removeSignIns(path: string): void {
  const copy = new WorkerDatabase(path)
  try {
    const hasSignIns = copy.get("SELECT 1 AS found FROM sqlite_schema WHERE name = 'mcp_sign_ins'")
    if (!hasSignIns) return
    copy.exec('PRAGMA secure_delete = ON')
    copy.run('DELETE FROM mcp_sign_ins')
  } finally {
    copy.close()
  }
}

function checkOrigin(database: WorkerDatabase, version: number, newest: number): void {
  const found = database.get<{ application_id: number }>('PRAGMA application_id')?.application_id
  if (found !== applicationId)
    throw new AppError('conflict', say('database_foreign', { path: database.path }))
  if (version > newest)
    throw new AppError('conflict', say('database_newer', { path: database.path, version, newest }))
}

/**
 * Writes a whole, compact copy to `path`, where nothing may be yet. The copy is a log of its own: event ids given out
 * after it was made must not be taken for its own when it is restored.
 */
export function backup(database: WorkerDatabase, path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw new AppError(
      'conflict',
      say('database_copy_unwritable', { path, detail: (error as Error).message }),
    )
  }
  database.run('VACUUM INTO ?', path)
  const copy = new WorkerDatabase(path)
  try {
    const hasLog = copy.get("SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = 'log'")
    if (hasLog) copy.run('UPDATE log SET id = ?', randomUUID())
  } finally {
    copy.close()
  }
}
