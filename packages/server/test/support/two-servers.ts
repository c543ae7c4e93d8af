/**
 * Two whole servers of one machine that share all that servers can: the records are one database, configuration and tools one folder;
 * what they must agree on is in memory.
 */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Script } from '@dorkos/testkit'
import { createMemoryCoordination } from '../../src/adapters/memory/memory-coordination.ts'
import { createMemoryEventBus } from '../../src/adapters/memory/memory-event-bus.ts'
import { createMemoryOwnerSignals } from '../../src/adapters/memory/memory-owner-signals.ts'
import { openSqliteStore } from '../../src/adapters/sqlite/open-sqlite-store.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { SharedStores } from '../../src/compose/compose-input.ts'
import { silent } from './gateway-fixture.ts'
import { type Host, startHost } from './start-host.ts'

export interface TwoServers {
  a: Host
  b: Host
  shared: SharedStores & { folder: string }
  /** One more, with what it shares. */
  add(shared: SharedStores): Promise<Host>
  close(): Promise<void>
}

/** A session of a server that is gone is taken over soon. */
const leaseMs = 3000

/** `envOfB`: what differs at B. */
export async function startTwoServers(
  script: Script,
  envOfB: Record<string, string> = {},
): Promise<TwoServers> {
  const config = { sessions: { prewarm: false } }
  const first = await startHost(script, { config })
  const clock = systemClock
  const database = await openSqliteStore({ path: join(first.root, 'shared.db'), clock, logger: silent })
  await first.server.close({ graceMs: 0 })
  const shared = {
    coordination: createMemoryCoordination(clock),
    signals: createMemoryOwnerSignals(clock),
    records: database.records,
    bus: createMemoryEventBus(),
    folder: mkdtempSync(join(first.root, 'shared-')),
  }
  const a = await startHost(script, { config, beside: first, shared, leaseMs })
  const b = await startHost(script, { beside: first, shared, leaseMs, env: envOfB })
  return {
    a,
    b,
    shared,
    add: (stores) =>
      startHost(script, { beside: first, shared: { ...stores, folder: shared.folder }, leaseMs }),
    async close() {
      await b.close()
      await a.close()
      await database.close()
      await first.model.close()
      await rm(first.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
