/** A store in a folder of its own, for tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../../core/logger.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { createManualClock } from '../../core/ports/fixtures.conformance.ts'
import { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts'

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

export interface TestStore {
  readonly store: SqliteStore
  readonly folder: string
  readonly path: string
  /** Closes the store and opens the same file again. */
  reopen(): Promise<SqliteStore>
  /** Closes the store and removes the folder. */
  close(): Promise<void>
}

export async function openTestStore(setup: { clock?: Clock } = {}): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'dorkos-store-'))
  const path = join(folder, 'home', 'dorkos.db')
  const options = { path, clock: setup.clock ?? createManualClock(), logger: silentLogger }
  let store = await openSqliteStore(options)
  return {
    get store() {
      return store
    },
    folder,
    path,
    async reopen() {
      await store.close()
      store = await openSqliteStore(options)
      return store
    },
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
