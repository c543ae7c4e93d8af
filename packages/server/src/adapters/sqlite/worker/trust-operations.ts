/** What was trusted, in SQL. A workspace that is removed takes it along. */
import { operation } from './operation.ts'

export const trustOperations = {
  'trust.get': operation(
    'none',
    ({ database }, workspaceId: string): string | undefined =>
      database.get<{ record: string }>(
        'SELECT record FROM workspace_trust WHERE workspace_id = ?',
        workspaceId,
      )?.record,
  ),

  'trust.digestOf': operation(
    'none',
    ({ database }, workspaceId: string): string | undefined =>
      database.get<{ digest: string }>(
        'SELECT digest FROM workspace_trust WHERE workspace_id = ?',
        workspaceId,
      )?.digest,
  ),

  'trust.put': operation(
    'full',
    ({ database }, input: { workspaceId: string; digest: string; record: string }): void => {
      database.run(
        `INSERT INTO workspace_trust (workspace_id, digest, record) VALUES (?, ?, ?)
         ON CONFLICT (workspace_id) DO UPDATE SET digest = excluded.digest, record = excluded.record`,
        input.workspaceId,
        input.digest,
        input.record,
      )
    },
  ),

  'trust.remove': operation('full', ({ database }, workspaceId: string): void => {
    database.run('DELETE FROM workspace_trust WHERE workspace_id = ?', workspaceId)
  }),
}
