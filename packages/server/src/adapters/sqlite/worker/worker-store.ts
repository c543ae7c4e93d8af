/** What the operations work on: the connection, and the positions of the event log. */
import { randomUUID } from 'node:crypto'
import type { WorkerDatabase } from './database.ts'

export interface WorkerStore {
  readonly database: WorkerDatabase
  readonly positions: Positions
}

const reservedAtOnce = 100_000

/**
 * Gives out positions of the event log. Events at the end of the log can be lost in a power cut, after their positions were
 * told to readers. So positions are reserved in large blocks by a commit that survives one, and each run begins a new
 * block: no position is ever given out twice.
 */
export class Positions {
  readonly logId: string
  #next: number
  #reserved: number

  constructor(database: WorkerDatabase) {
    database.run(
      'INSERT OR IGNORE INTO log (only_row, id, reserved_position, trimmed_position) VALUES (1, ?, 0, 0)',
      randomUUID(),
    )
    const row = database.get<{ id: string; reserved_position: number }>(
      'SELECT id, reserved_position FROM log',
    )
    if (!row) throw new Error('the log has no row')
    this.logId = row.id
    this.#next = row.reserved_position + 1
    this.#reserved = row.reserved_position
  }

  get last(): number {
    return this.#next - 1
  }

  /** Makes sure that `count` positions can be taken. Outside of a transaction. */
  reserve(database: WorkerDatabase, count: number): void {
    if (this.#next + count <= this.#reserved + 1) return
    const reserved = this.#next + count - 1 + reservedAtOnce
    database.transaction('full', () => database.run('UPDATE log SET reserved_position = ?', reserved))
    this.#reserved = reserved
  }

  /** The first of `count` consecutive positions. */
  take(count: number): number {
    const first = this.#next
    if (first + count - 1 > this.#reserved) throw new Error('positions were not reserved')
    this.#next += count
    return first
  }
}
