import { pathToFileURL } from 'node:url'
import Database from 'libsql'

export interface ReadOnlyDatabase {
  /** The `CREATE` statements, for the model to know what there is. */
  readonly schema: string
  /** At most `limit` rows, and whether there would have been more. Throws what SQLite says. */
  query(sql: string, params: readonly SqlValue[], limit: number): { rows: unknown[]; more: boolean }
  close(): void
}

type SqlValue = string | number | null

const ALLOW = 0

/**
 * Opens a SQLite file so that SQLite itself refuses to change it, whatever SQL comes: nothing here looks at the text.
 *
 * Two locks, because one is not enough:
 * - `mode=ro` makes every write to this file fail. (The option `{readonly: true}` is ignored by libsql 0.5.)
 * - The authorizer allows reading the tables that are there, and nothing else. Without it SQL can leave the file:
 *   `ATTACH` and `VACUUM INTO` write other databases, and libsql brings `writefile()`, `readfile()` and `fsdir`.
 *   The price: it cannot allow functions one by one, so `COUNT`, `LIKE` and the rest are refused as well.
 *
 * Queries run in this thread. Where one may take long, put this into a worker.
 */
export function openReadOnly(path: string): ReadOnlyDatabase {
  const database = new Database(`${pathToFileURL(path)}?mode=ro`) as Database.Database & Authorizer
  const tables = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[]
  database.authorizer(Object.fromEntries(tables.map(({ name }) => [name, ALLOW])))

  return {
    schema: tables.map(({ sql }) => `${sql};`).join('\n'),
    query(sql, params, limit) {
      const rows: unknown[] = []
      for (const row of database.prepare(sql).iterate(...params)) {
        if (rows.length === limit) return { rows, more: true }
        rows.push(row)
      }
      return { rows, more: false }
    },
    close: () => void database.close(),
  }
}

/** Part of libsql, but not of its types. */
interface Authorizer {
  authorizer(rules: Record<string, number>): void
}
