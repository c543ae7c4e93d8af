/** What is good for minutes, in SQL. */
import type { ShortLivedEntry } from '../../../core/ports/coordination.ts'
import { operation } from './operation.ts'

/** As a row of the database is typed. */
type EntryRow = { [Column in keyof ShortLivedEntry]: ShortLivedEntry[Column] }

// Whole rows are read by `all`: to a single one the driver adds what it measured.
const columns = 'kind, id, source, value, expires_at AS expiresAt'

export const shortLivedOperations = {
  'shortLived.put': operation(
    'full',
    (
      { database },
      input: { entry: ShortLivedEntry; most: { ofKind: number; ofSource: number }; now: number },
    ): boolean => {
      const { kind, id, source, value, expiresAt } = input.entry
      database.run('DELETE FROM short_lived WHERE expires_at <= ?', input.now)
      const there = database.get<{ ofKind: number; ofSource: number }>(
        'SELECT count(*) AS ofKind, count(CASE WHEN source = ? THEN 1 END) AS ofSource FROM short_lived WHERE kind = ?',
        source,
        kind,
      )
      if (!there || there.ofKind >= input.most.ofKind || there.ofSource >= input.most.ofSource) return false
      const added = database.get(
        `INSERT INTO short_lived (kind, id, source, value, expires_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING RETURNING id`,
        kind,
        id,
        source,
        value,
        expiresAt,
      )
      return added !== undefined
    },
  ),

  'shortLived.get': operation(
    'none',
    ({ database }, input: { kind: string; id: string; now: number }): ShortLivedEntry | undefined =>
      database.all<EntryRow>(
        `SELECT ${columns} FROM short_lived WHERE kind = ? AND id = ? AND expires_at > ?`,
        input.kind,
        input.id,
        input.now,
      )[0],
  ),

  'shortLived.list': operation(
    'none',
    ({ database }, input: { kind: string; now: number }): ShortLivedEntry[] =>
      database.all<EntryRow>(
        `SELECT ${columns} FROM short_lived WHERE kind = ? AND expires_at > ? ORDER BY expires_at, id`,
        input.kind,
        input.now,
      ),
  ),

  'shortLived.replace': operation(
    'full',
    ({ database }, input: { entry: ShortLivedEntry; value: string; now: number }): boolean =>
      database.get(
        'UPDATE short_lived SET value = ? WHERE kind = ? AND id = ? AND value = ? AND expires_at > ? RETURNING id',
        input.value,
        input.entry.kind,
        input.entry.id,
        input.entry.value,
        input.now,
      ) !== undefined,
  ),

  'shortLived.take': operation(
    'full',
    ({ database }, input: { kind: string; id: string; now: number }): ShortLivedEntry | undefined =>
      database.all<EntryRow>(
        `DELETE FROM short_lived WHERE kind = ? AND id = ? AND expires_at > ? RETURNING ${columns}`,
        input.kind,
        input.id,
        input.now,
      )[0],
  ),
}
