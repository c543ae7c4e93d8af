/** Writes the state of a live session to a store whenever it changes. */
import { readProcess } from '@dorkos/processes'
import type { SessionCore } from '../session/session-core.ts'
import type { StateStore, StoredSession } from './state-store.ts'

export interface SessionRecorder {
  /** The session never came to be: its record is what it was before. */
  undo(): Promise<void>
}

/** Saves are made one after another and only the newest state is written; a store that fails is warned about. */
export function recordSession(core: SessionCore, store: StateStore): SessionRecorder {
  const owner = { pid: process.pid, startTime: readProcess(process.pid)?.startTime }
  const before = core.resumed ? previousRecord(core, store) : Promise.resolve(undefined)
  let writing: Promise<void> | undefined
  let stale = false
  const attempt = async (write: () => Promise<void>) => {
    try {
      await write()
    } catch (error) {
      core.warn(`The state of session ${core.id} could not be saved: ${String(error)}`)
    }
  }
  const writeNewest = async () => {
    await before
    while (stale) {
      stale = false
      await attempt(() => store.save(toRecord(core, owner)))
    }
    writing = undefined
  }
  const save = () => {
    stale = true
    writing ??= writeNewest()
  }
  core.record = { save, saved: async () => writing }
  core.events.on('turnEnd', save)
  save()
  return {
    async undo() {
      core.record = undefined
      await writing
      const previous = await before
      await attempt(() => (previous ? store.save(previous) : store.delete(core.id)))
    },
  }
}

async function previousRecord(core: SessionCore, store: StateStore): Promise<StoredSession | undefined> {
  const records = await store.list().catch(() => [])
  return records.find((record) => record.sessionId === core.id)
}

function toRecord(core: SessionCore, owner: StoredSession['owner']): StoredSession {
  const info = core.state()
  return {
    sessionId: core.id,
    state: info.state,
    cwd: core.options.cwd ?? process.cwd(),
    keepAlive: core.keepAlive,
    owner,
    startedAt: info.stats.startedAt ?? new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    lastOutcome: info.lastOutcome,
    cliSessionIds: [...core.cliSessionIds],
    unfinishedMessages: info.queuedMessages.map((message) => message.uuid),
  }
}
