/** Which of the waiting turns is next, and whether any may run: the order of a queue, and its hold, in SQL. */
import { operation } from './operation.ts'
import { find, type StoredTurn, toStored } from './turn-row.ts'
import type { WorkerStore } from './worker-store.ts'

const heldOnes = "session_id = ? AND state = 'queued' AND record ->> '$.held'"

export function isHeld({ database }: WorkerStore, sessionId: string): boolean {
  return database.get(`SELECT 1 FROM turns WHERE ${heldOnes} LIMIT 1`, sessionId) !== undefined
}

/** Something waits that no stop holds. */
export function hasUnheld({ database }: WorkerStore, sessionId: string): boolean {
  const unheld = "session_id = ? AND state = 'queued' AND record ->> '$.held' IS NULL"
  return database.get(`SELECT 1 FROM turns WHERE ${unheld} LIMIT 1`, sessionId) !== undefined
}

export function releaseHeld(store: WorkerStore, sessionId: string): boolean {
  if (!isHeld(store, sessionId)) return false
  store.database.run(`UPDATE turns SET record = json_remove(record, '$.held') WHERE ${heldOnes}`, sessionId)
  return true
}

function hold({ database }: WorkerStore, sessionId: string): boolean {
  const waiting = "session_id = ? AND state = 'queued'"
  database.run(
    `UPDATE turns SET record = json_set(record, '$.held', json('true')) WHERE ${waiting}`,
    sessionId,
  )
  return database.get(`SELECT 1 FROM turns WHERE ${waiting} LIMIT 1`, sessionId) !== undefined
}

/** The ranks stay; who has which changes. So a turn that is put back later still finds its place. */
function move(
  store: WorkerStore,
  input: { sessionId: string; turnId: string; before: string | undefined },
): { stored: StoredTurn } | { outcome: 'not_waiting' | 'target_not_waiting' } {
  const { sessionId, turnId, before } = input
  const queue = store.database.all<{ id: string; number: number; rank: number }>(
    "SELECT id, number, rank FROM turns WHERE session_id = ? AND state = 'queued' ORDER BY rank",
    sessionId,
  )
  const moved = queue.find(({ id }) => id === turnId)
  const row = moved && find(store, sessionId, turnId)
  if (!row) return { outcome: 'not_waiting' }
  if (before !== undefined && !queue.some(({ id }) => id === before)) return { outcome: 'target_not_waiting' }
  if (before !== turnId) {
    const others = queue.filter(({ id }) => id !== turnId)
    const index = others.findIndex(({ id }) => id === before)
    const order = others.toSpliced(index === -1 ? others.length : index, 0, moved)
    for (const [index, { number }] of order.entries())
      store.database.run('UPDATE turns SET rank = ? WHERE number = ?', queue[index]?.rank ?? 0, number)
  }
  return { stored: toStored(row) }
}

export const queueOperations = {
  'turns.move': operation('full', move),
  'turns.hold': operation('full', hold),
  'turns.release': operation('full', releaseHeld),
}
