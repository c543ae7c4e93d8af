/** The stores of the server in one SQLite file. */

import { chmod, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import type { Logger } from '../../core/logger.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Coordination } from '../../core/ports/coordination.ts'
import type { Records } from '../../core/ports/records.ts'
import { compiledThread } from '../compiled-thread.ts'
import { createSqliteCoordination } from './sqlite-coordination.ts'
import { createSqliteRecords } from './sqlite-records.ts'
import { fromFailure } from './worker/failure.ts'
import type { MaintenanceResult, MaintenanceSetup } from './worker/maintenance.ts'
import { startWorker } from './worker-client.ts'

export interface SqliteStoreSetup {
  path: string
  clock: Clock
  logger: Logger
}

export interface SqliteStore {
  readonly coordination: Coordination
  readonly records: Records
  /** What is wrong with the file, in SQLite's words; empty when nothing is. */
  integrityCheck(): Promise<string[]>
  /** Writes a whole copy to a file that must not exist yet, while the store works on. */
  backup(path: string): Promise<void>
  /** Waits for what was asked, then closes the file. */
  close(): Promise<void>
}

/**
 * Opens the file, makes it when there is none, and brings its schema up to date. Throws `AppError` with what to do when the
 * file is damaged, of another program or of a newer version; it is never replaced. One process at a time: see `lockHome`.
 */
export async function openSqliteStore({ path, clock, logger }: SqliteStoreSetup): Promise<SqliteStore> {
  await makePrivate(path)
  const worker = await startWorker(path, logger)
  return {
    coordination: createSqliteCoordination(worker.call, worker.logId, clock),
    records: createSqliteRecords(worker.call),
    integrityCheck: () => maintain({ task: 'check', path }),
    async backup(to) {
      await maintain({ task: 'backup', path, to })
    },
    close: () => worker.close(),
  }
}

/** The side files of SQLite take over the rights of the database file. A folder that was there keeps its own. */
async function makePrivate(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Never opens a file that is there: closing it would end the locks that SQLite has on it in this process.
    const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await file?.close()
    if (!(await stat(path)).isFile()) throw new Error('it is not a file')
    await chmod(path, 0o600)
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new AppError('unavailable', say('database_unopened', { path, detail: text }), {
      cause: error,
    })
  }
}

/** Also works on a file that cannot be opened as a store. */
export function checkSqliteFile(path: string): Promise<string[]> {
  return maintain({ task: 'check', path })
}

function maintain(setup: MaintenanceSetup): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(compiledThread('maintenance'), { workerData: setup, name: 'maintenance' })
    worker.once('message', (result: MaintenanceResult) => {
      if ('faults' in result) resolve(result.faults)
      else reject(fromFailure(result.failure))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new AppError('unavailable', say('database_check_stopped'))))
  })
}
