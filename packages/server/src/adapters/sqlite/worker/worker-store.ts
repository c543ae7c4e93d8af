/** What the operations work on. */
import { randomUUID } from 'node:crypto'
import type { WorkerDatabase } from './database.ts'

export interface WorkerStore {
  readonly database: WorkerDatabase
}

/** The id of the event log, made with the file. */
export function readLogId({ database }: WorkerStore): string {
  database.run('INSERT OR IGNORE INTO log (only_row, id) VALUES (1, ?)', randomUUID())
  const row = database.get<{ id: string }>('SELECT id FROM log')
  if (!row) throw new Error('the log has no row')
  return row.id
}
