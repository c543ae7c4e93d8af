/**
 * The audit log in SQL: a chain. An entry's hash covers its id, its text and the hash before; the head says where the chain
 * ends. A changed, missing or added row breaks it.
 */
import { createHash } from 'node:crypto'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

export interface StoredAuditEntry {
  id: number
  entry: string
  hash: string
}

/** How far a check has come. */
export interface AuditCheck {
  id: number
  hash: string
}

export type AuditCheckResult = { goOn: AuditCheck } | { entries: number; firstFault?: number }

type EntryRow = { id: number; entry: string; hash: string }
type HeadRow = { last_id: number; hash: string }

const rowsPerCheck = 1000

function hashOf(before: string, id: number, entry: string): string {
  return createHash('sha256').update(`${before}\n${id}\n${entry}`).digest('hex')
}

function readHead({ database }: WorkerStore): HeadRow {
  return database.get<HeadRow>('SELECT last_id, hash FROM audit_head') ?? { last_id: -1, hash: '' }
}

/** Checks some entries after the last one that was found good. */
function check(store: WorkerStore, good: AuditCheck): AuditCheckResult {
  const rows = store.database.all<EntryRow>(
    `SELECT id, entry, hash FROM audit WHERE id > ? ORDER BY id LIMIT ${rowsPerCheck}`,
    good.id,
  )
  let { id, hash } = good
  for (const row of rows) {
    if (row.id !== id + 1 || row.hash !== hashOf(hash, row.id, row.entry))
      return { entries: count(store), firstFault: id + 1 }
    id = row.id
    hash = row.hash
  }
  if (rows.length === rowsPerCheck) return { goOn: { id, hash } }
  const head = readHead(store)
  const whole = head.last_id === id && head.hash === hash
  return { entries: count(store), ...(!whole && { firstFault: id + 1 }) }
}

function count({ database }: WorkerStore): number {
  return database.get<{ entries: number }>('SELECT count(*) AS entries FROM audit')?.entries ?? 0
}

export const auditOperations = {
  'audit.append': operation('full', (store, entries: string[]): void => {
    let { last_id: id, hash } = readHead(store)
    for (const entry of entries) {
      id += 1
      hash = hashOf(hash, id, entry)
      store.database.run('INSERT INTO audit (id, entry, hash) VALUES (?, ?, ?)', id, entry, hash)
    }
    store.database.run('UPDATE audit_head SET last_id = ?, hash = ?', id, hash)
  }),

  'audit.list': operation(
    'none',
    (
      { database },
      input: {
        principals: readonly string[]
        sessionId: string | undefined
        workspaceId: string | undefined
        tool: string | undefined
        action: string | undefined
        before: number | undefined
        limit: number
      },
    ): StoredAuditEntry[] => {
      const filter = where(
        {
          sql: "entry ->> '$.principal' IN (SELECT value FROM json_each(?))",
          value: JSON.stringify(input.principals),
        },
        { sql: 'session_id = ?', value: input.sessionId },
        { sql: 'workspace_id = ?', value: input.workspaceId },
        { sql: 'tool = ? COLLATE NOCASE', value: input.tool },
        { sql: 'action = ?', value: input.action },
        { sql: 'id < ?', value: input.before },
      )
      return database
        .all<EntryRow>(
          `SELECT id, entry, hash FROM audit ${filter.sql} ORDER BY id DESC LIMIT ?`,
          ...filter.values,
          input.limit,
        )
        .map(({ id, entry, hash }) => ({ id, entry, hash }))
    },
  ),

  'audit.has': operation(
    'none',
    ({ database }, input: { action: string }): boolean =>
      database.get('SELECT id FROM audit WHERE action = ? LIMIT 1', input.action) !== undefined,
  ),

  'audit.check': operation('none', check),
}
