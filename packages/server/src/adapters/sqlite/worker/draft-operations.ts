/** What people are writing, in SQL. */
import type { Draft } from '@dorkos/shared'
import type { SavedDraft } from '../../../core/ports/drafts.ts'
import { operation } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

const columns = 'key, text, revision, updated_at'

function find({ database }: WorkerStore, principal: string, key: string): Draft | undefined {
  const row = database.get<Draft>(
    `SELECT ${columns} FROM drafts WHERE principal = ? AND key = ?`,
    principal,
    key,
  )
  return row && toDraft(row)
}

/** Its text is stored as JSON: people may write a NUL, and the database takes none. libsql adds fields of its own to a row. */
function toDraft({ key, text, revision, updated_at }: Draft): Draft {
  return { key, text: JSON.parse(text), revision, updated_at }
}

function save(store: WorkerStore, input: { draft: SavedDraft; base: number; most: number }) {
  const { draft, base, most } = input
  const { principal, key } = draft
  const { database } = store
  const stored = find(store, principal, key)
  if ((stored?.revision ?? 0) !== base) return { saved: false, stored }
  if (draft.text === '') {
    database.run('DELETE FROM drafts WHERE principal = ? AND key = ?', principal, key)
    return { saved: true, stored: undefined }
  }
  database.run(
    `INSERT INTO drafts (principal, key, text, revision, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (principal, key) DO UPDATE
       SET text = excluded.text, revision = excluded.revision, updated_at = excluded.updated_at`,
    principal,
    key,
    JSON.stringify(draft.text),
    draft.revision,
    draft.updated_at,
  )
  database.run(
    `DELETE FROM drafts WHERE principal = ? AND key NOT IN (
       SELECT key FROM drafts WHERE principal = ? ORDER BY revision DESC, key LIMIT ?)`,
    principal,
    principal,
    most,
  )
  return { saved: true, stored: find(store, principal, key) }
}

export const draftOperations = {
  'drafts.list': operation('none', ({ database }, principal: string): Draft[] =>
    database
      .all<Draft>(`SELECT ${columns} FROM drafts WHERE principal = ? ORDER BY revision DESC, key`, principal)
      .map(toDraft),
  ),

  // A power cut may cost a second of typing, which the device has too.
  'drafts.save': operation('normal', save),
}
