/** Finds sessions whose program is gone. */
import { isSameProcess } from '@dorkos/processes'
import type { StartSessionOptions } from '../options.ts'
import type { Session } from '../session/session.ts'
import { isTerminal } from '../session/state-machine.ts'
import type { StateStore, StoredSession } from './state-store.ts'

export interface RecoverableSession extends StoredSession {
  /** Resumes the conversation. Without a prompt the session waits for `send()`. */
  resume(start?: Pick<StartSessionOptions, 'prompt' | 'keepAlive' | 'options' | 'signal'>): Promise<Session>
  /** Forgets that it was running. The transcript stays. */
  discard(): Promise<void>
}

/** Records of sessions that ended are kept this long. */
const keepEndedMs = 7 * 24 * 60 * 60 * 1000

export async function findRecoverable(
  store: StateStore,
  resume: (record: StoredSession, start: StartSessionOptions) => Promise<Session>,
): Promise<RecoverableSession[]> {
  const records = await store.list()
  const ended = records.filter((record) => isTerminal(record.state))
  const old = ended.filter((record) => Date.now() - Date.parse(record.updatedAt) > keepEndedMs)
  await Promise.all(old.map((record) => store.delete(record.sessionId)))
  return records
    .filter((record) => !isTerminal(record.state) && !isSameProcess(record.owner.pid, record.owner.startTime))
    .map((record) => ({
      ...record,
      resume: (start = {}) => resume(record, start),
      discard: () => store.delete(record.sessionId),
    }))
}
