/** The database thread: the only writer of the file. */
import { parentPort, workerData } from 'node:worker_threads'
import { WorkerDatabase } from './database.ts'
import { toFailure } from './failure.ts'
import { commitGroup } from './group-commit.ts'
import { migrate } from './migrate.ts'
import type { DatabaseSetup, FromDatabase, ToDatabase } from './protocol.ts'
import { readLogId, type WorkerStore } from './worker-store.ts'

const setup = workerData as DatabaseSetup
const port = parentPort

if (port) {
  const send = (message: FromDatabase): void => port.postMessage(message)
  try {
    const store = open(setup.path)
    port.on('message', (message: ToDatabase) => {
      if ('requests' in message) {
        commitGroup(store, message.requests, send)
        return
      }
      close(store)
      port.close()
    })
    send({ opened: { logId: readLogId(store) } })
  } catch (error) {
    send({ refused: toFailure(error, setup.path) })
  }
}

function open(path: string): WorkerStore {
  const database = new WorkerDatabase(path)
  // First of all: a file of another program is left as it is.
  migrate(database)
  database.exec('PRAGMA journal_mode = WAL')
  // The checkpointer does this; here only should it fall behind.
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  // Tokens that were revoked or replaced do not stay readable in free pages.
  database.exec('PRAGMA secure_delete = ON')
  database.exec('PRAGMA foreign_keys = ON')
  database.exec('PRAGMA trusted_schema = OFF')
  database.exec('PRAGMA cell_size_check = ON')
  return { database }
}

/** Leaves one file, with nothing beside it that a copy of it would miss. */
function close({ database }: WorkerStore): void {
  try {
    database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
