/** Writes the state of a live session to a store whenever it changes. */
import type { SessionCore } from '../session/session-core.ts'
import { readProcessStat } from '../transport/process-stat.ts'
import type { SessionRecord, StateStore } from './state-store.ts'

/** Saves are made one after another and only the newest state is written; a store that fails is warned about. */
export function recordSession(core: SessionCore, store: StateStore): void {
  const owner = { pid: process.pid, startTime: readProcessStat(process.pid)?.startTime }
  let writing = false
  let stale = false
  const save = async () => {
    stale = true
    if (writing) return
    writing = true
    while (stale) {
      stale = false
      try {
        await store.save(toRecord(core, owner))
      } catch (error) {
        core.warn(`The state of session ${core.id} could not be saved: ${String(error)}`)
      }
    }
    writing = false
  }
  core.events.on('stateChange', save)
  core.events.on('turnEnd', save)
  void save()
}

function toRecord(core: SessionCore, owner: SessionRecord['owner']): SessionRecord {
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
    unfinishedMessages: info.queuedMessages.map((message) => message.uuid),
  }
}
