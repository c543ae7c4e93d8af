/** Tokens in SQL: never the secret, only its hash. And the server's own small values. */
import type { Token } from '@dorkos/shared'
import type { TokenRecord, TokenUse } from '../../../core/ports/records.ts'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type RecordRow = { record: string }

function update({ database }: WorkerStore, id: string, change: (token: Token) => Token): Token | undefined {
  const row = database.get<RecordRow>('SELECT record FROM tokens WHERE id = ?', id)
  if (!row) return undefined
  const token = JSON.parse(row.record) as Token
  const changed = change(token)
  database.run('UPDATE tokens SET record = ? WHERE id = ?', JSON.stringify(changed), id)
  return changed
}

export const tokenOperations = {
  'tokens.create': operation('full', ({ database }, input: TokenRecord): void => {
    const { hash, ...token } = input
    database.run(
      'INSERT INTO tokens (id, hash, record) VALUES (?, ?, ?)',
      token.id,
      hash,
      JSON.stringify(token),
    )
  }),

  'tokens.byHash': operation('none', ({ database }, hash: string): TokenRecord | undefined => {
    const row = database.get<RecordRow>('SELECT record FROM tokens WHERE hash = ?', hash)
    return row && { ...(JSON.parse(row.record) as Token), hash }
  }),

  'tokens.list': operation('none', ({ database }, input: { principal: string | null }): Token[] => {
    const filter = where({ sql: "record ->> '$.principal' = ?", value: input.principal })
    return database
      .all<RecordRow>(`SELECT record FROM tokens ${filter.sql} ORDER BY number`, ...filter.values)
      .map((row) => JSON.parse(row.record) as Token)
  }),

  'tokens.revoke': operation('full', (store, input: { id: string; at: string }) =>
    update(store, input.id, (token) => ({ ...token, revoked_at: token.revoked_at ?? input.at })),
  ),

  'tokens.rename': operation('full', (store, { id, name }: { id: string; name: string }) =>
    update(store, id, (token) => ({ ...token, name })),
  ),

  'tokens.touch': operation('full', (store, { id, use }: { id: string; use: TokenUse }): void => {
    update(store, id, ({ last_used_agent: _, ...token }) => ({
      ...token,
      last_used_at: use.at,
      last_used_from: use.from,
      ...(use.agent !== undefined && { last_used_agent: use.agent }),
    }))
  }),

  'values.get': operation(
    'none',
    ({ database }, key: string) =>
      database.get<{ value: string }>('SELECT value FROM server_values WHERE key = ?', key)?.value,
  ),

  'values.set': operation('full', ({ database }, input: { key: string; value: string }): void => {
    database.run(
      'INSERT INTO server_values (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      input.key,
      input.value,
    )
  }),
}
