/** Rules in SQL. A revoked rule stays, so that what it once allowed can be explained. */
import type { Rule } from '@dorkos/shared'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type RecordRow = { record: string }

function find({ database }: WorkerStore, id: string): Rule | undefined {
  const row = database.get<RecordRow>('SELECT record FROM rules WHERE id = ?', id)
  return row && (JSON.parse(row.record) as Rule)
}

function update({ database }: WorkerStore, rule: Rule): Rule {
  database.run('UPDATE rules SET record = ? WHERE id = ?', JSON.stringify(rule), rule.id)
  return rule
}

type RuleChange = Partial<Pick<Rule, 'effect' | 'tool' | 'match' | 'scope'>>

export const ruleOperations = {
  'rules.create': operation('full', ({ database }, rule: Rule): void => {
    database.run('INSERT INTO rules (id, record) VALUES (?, ?)', rule.id, JSON.stringify(rule))
  }),

  'rules.change': operation('full', (store, input: { id: string; change: RuleChange }): Rule | undefined => {
    const rule = find(store, input.id)
    if (!rule || rule.revoked_at !== undefined) return undefined
    const { effect, tool, match, scope } = { ...rule, ...input.change }
    return update(store, { ...rule, effect, tool, scope, ...(match !== undefined && { match }) })
  }),

  'rules.revoke': operation('full', (store, input: { id: string; at: string }): Rule | undefined => {
    const rule = find(store, input.id)
    if (!rule || rule.revoked_at !== undefined) return rule
    return update(store, { ...rule, revoked_at: input.at })
  }),

  'rules.get': operation('none', find),

  'rules.list': operation(
    'none',
    ({ database }, input: { principal: string | null; revoked: boolean }): Rule[] => {
      const filter = where({ sql: "record ->> '$.principal' = ?", value: input.principal })
      const inForce = input.revoked ? '' : `${filter.sql === '' ? 'WHERE' : 'AND'} revoked_at IS NULL`
      return database
        .all<RecordRow>(`SELECT record FROM rules ${filter.sql} ${inForce} ORDER BY number`, ...filter.values)
        .map((row) => JSON.parse(row.record) as Rule)
    },
  ),
}
