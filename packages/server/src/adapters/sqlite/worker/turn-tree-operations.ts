/** Turn trees in SQL. */
import { operation } from './operation.ts'

export const turnTreeOperations = {
  'turnTrees.put': operation(
    'normal',
    ({ database }, input: { id: string; sessionId: string; record: string }): void => {
      database.run(
        `INSERT INTO turn_trees (id, session_id, record) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
        input.id,
        input.sessionId,
        input.record,
      )
    },
  ),

  'turnTrees.remove': operation('normal', ({ database }, id: string): void => {
    database.run('DELETE FROM turn_trees WHERE id = ?', id)
  }),

  'turnTrees.list': operation('none', ({ database }, sessionId: string): string[] =>
    database
      .all<{ record: string }>(
        'SELECT record FROM turn_trees WHERE session_id = ? ORDER BY number',
        sessionId,
      )
      .map(({ record }) => record),
  ),
}
