/**
 * Long work on the file in a thread of its own, beside the writer: an integrity check or a copy of a large database would
 * hold up every write. Reads a state of one moment.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { WorkerDatabase } from './database.ts'
import { type Failure, toFailure } from './failure.ts'
import { backup } from './migrate.ts'

export type MaintenanceSetup = { path: string } & ({ task: 'check' } | { task: 'backup'; to: string })
export type MaintenanceResult = { faults: string[] } | { failure: Failure }

const setup = workerData as MaintenanceSetup
parentPort?.postMessage(work())

function work(): MaintenanceResult {
  try {
    const database = new WorkerDatabase(setup.path)
    try {
      if (setup.task === 'check') return { faults: check(database) }
      backup(database, setup.to)
      return { faults: [] }
    } finally {
      database.close()
    }
  } catch (error) {
    return { failure: toFailure(error, setup.path) }
  }
}

function check(database: WorkerDatabase): string[] {
  return database
    .all<{ integrity_check: string }>('PRAGMA integrity_check')
    .map((row) => row.integrity_check)
    .filter((line) => line !== 'ok')
}
