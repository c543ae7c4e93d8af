/** Which hooks may run and which plugins may load, in SQL. */
import { operation } from './operation.ts'

export const hookConsentOperations = {
  'hookConsents.list': operation('none', ({ database }): string[] =>
    database
      .all<{ record: string }>('SELECT record FROM hook_consents ORDER BY digest')
      .map(({ record }) => record),
  ),

  'hookConsents.put': operation('full', ({ database }, input: { digest: string; record: string }): void => {
    database.run(
      `INSERT INTO hook_consents (digest, record) VALUES (?, ?)
       ON CONFLICT (digest) DO UPDATE SET record = excluded.record`,
      input.digest,
      input.record,
    )
  }),

  'hookConsents.remove': operation(
    'full',
    ({ database }, digest: string): string | undefined =>
      database.get<{ record: string }>('DELETE FROM hook_consents WHERE digest = ? RETURNING record', digest)
        ?.record,
  ),
}
