/** The ledger in SQL: rows are only ever added, once for each turn. */
import type { LedgerEntry } from '@dorkos/shared'
import type { CostSum, NewLedgerEntry } from '../../../core/ports/records.ts'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type LedgerRow = { id: number; record: string }
type SumRow = {
  key: string
  usd: number
  turns: number
  input: number
  output: number
  cache_read: number
  cache_write: number
}

const keys = {
  day: 'substr(time, 1, 10)',
  workspace: "coalesce(workspace_id, '')",
  model: 'model',
  session: 'session_id',
} as const

export interface TotalsFilter {
  principal: string
  group: keyof typeof keys
  from: string | undefined
  to: string | undefined
  demo: boolean | undefined
}

function append({ database }: WorkerStore, entries: NewLedgerEntry[]): void {
  const known = new Set<string>()
  for (const { session_id, turn_id } of entries)
    if (
      database.get('SELECT 1 AS found FROM ledger WHERE session_id = ? AND turn_id = ?', session_id, turn_id)
    )
      known.add(`${session_id} ${turn_id}`)
  for (const entry of entries)
    if (!known.has(`${entry.session_id} ${entry.turn_id}`))
      database.run('INSERT INTO ledger (record) VALUES (?)', JSON.stringify(entry))
}

function totals({ database }: WorkerStore, input: TotalsFilter): ({ key: string } & CostSum)[] {
  const filter = where(
    { sql: "record ->> '$.principal' = ?", value: input.principal },
    { sql: 'time >= ?', value: input.from },
    { sql: 'time < ?', value: input.to },
    { sql: 'demo = ?', value: input.demo === undefined ? undefined : Number(input.demo) },
  )
  return database
    .all<SumRow>(
      `SELECT ${keys[input.group]} AS key, sum(usd) AS usd, count(DISTINCT session_id || ' ' || turn_id) AS turns,
        sum(record ->> '$.tokens.input') AS input, sum(record ->> '$.tokens.output') AS output,
        sum(record ->> '$.tokens.cache_read') AS cache_read, sum(record ->> '$.tokens.cache_write') AS cache_write
        FROM ledger ${filter.sql} GROUP BY 1 ORDER BY ${input.group === 'day' ? 'key' : 'usd DESC, key'}`,
      ...filter.values,
    )
    .map(({ key, usd, turns, input: read, output, cache_read, cache_write }) => ({
      key,
      usd,
      turns,
      tokens: { input: read, output, cache_read, cache_write },
    }))
}

const isBookedThen = `NOT EXISTS (SELECT 1 FROM json_each(?) AS booked
  WHERE booked.value ->> '$.sessionId' = ledger.session_id AND ledger.id > booked.value ->> '$.bookedTo')`

export const ledgerOperations = {
  'ledger.append': operation('full', append),
  'ledger.totals': operation('none', totals),

  'ledger.list': operation(
    'none',
    (
      { database },
      input: {
        principal: string | null
        sessionId: string | undefined
        before: number | undefined
        limit: number
      },
    ): LedgerEntry[] => {
      const filter = where(
        { sql: "record ->> '$.principal' = ?", value: input.principal },
        { sql: 'session_id = ?', value: input.sessionId },
        { sql: 'id < ?', value: input.before },
      )
      return database
        .all<LedgerRow>(
          `SELECT id, record FROM ledger ${filter.sql} ORDER BY id DESC LIMIT ?`,
          ...filter.values,
          input.limit,
        )
        .map((row) => ({ id: row.id, ...(JSON.parse(row.record) as NewLedgerEntry) }))
    },
  ),

  'ledger.spent': operation(
    'none',
    (
      { database },
      input: {
        principal: string | null
        sessionId: string | undefined
        from: string | undefined
        upTo: readonly { sessionId: string; bookedTo: number }[] | undefined
      },
    ): number => {
      const filter = where(
        { sql: "record ->> '$.principal' = ?", value: input.principal },
        { sql: 'session_id = ?', value: input.sessionId },
        { sql: 'time >= ?', value: input.from },
        { sql: 'demo = ?', value: 0 },
        { sql: isBookedThen, value: input.upTo?.length ? JSON.stringify(input.upTo) : undefined },
      )
      const row = database.get<{ usd: number }>(
        `SELECT coalesce(sum(usd), 0) AS usd FROM ledger ${filter.sql}`,
        ...filter.values,
      )
      return row?.usd ?? 0
    },
  ),
}
