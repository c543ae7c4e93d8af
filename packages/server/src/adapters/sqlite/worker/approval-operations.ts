/** Approvals in SQL. One thread writes, so that a look before the write is a compare-and-set. */
import type { Approval } from '@dorkos/shared'
import { say } from '@dorkos/shared/saying'
import { AppError } from '../../../core/app-error.ts'
import { type Settlement, settledApproval } from '../../../core/ports/coordination.ts'
import { checkEpoch } from './event-log-operations.ts'
import { operation, where } from './operation.ts'
import type { WorkerStore } from './worker-store.ts'

type ApprovalRow = { number: number; record: string }

function find(store: WorkerStore, id: string): ApprovalRow | undefined {
  return store.database.get<ApprovalRow>('SELECT number, record FROM approvals WHERE id = ?', id)
}

/** Whether an answer comes in time and to what was shown. */
function acceptable(approval: Approval, settlement: Settlement, expect: { inputHash?: string; now: string }) {
  if (approval.state !== 'pending') return false
  if (expect.inputHash !== undefined && expect.inputHash !== approval.input_hash) return false
  if (settlement.state === 'expired' || settlement.state === 'void') return true
  return Date.parse(expect.now) <= Date.parse(approval.deadline)
}

function write(store: WorkerStore, row: ApprovalRow, approval: Approval, settlement: Settlement): Approval {
  const settled = settledApproval(approval, settlement)
  store.database.run('UPDATE approvals SET record = ? WHERE number = ?', JSON.stringify(settled), row.number)
  return settled
}

function settle(
  store: WorkerStore,
  input: { id: string; settlement: Settlement; expect: { inputHash?: string; now: string } },
): { won: boolean; approval: Approval } | undefined {
  const row = find(store, input.id)
  if (!row) return undefined
  const approval = JSON.parse(row.record) as Approval
  if (!acceptable(approval, input.settlement, input.expect)) return { won: false, approval }
  return { won: true, approval: write(store, row, approval, input.settlement) }
}

export const approvalOperations = {
  'approvals.open': operation('full', (store, input: { approval: Approval; epoch: number }): void => {
    const { approval, epoch } = input
    if (approval.state !== 'pending')
      throw new AppError('invalid_request', say('approval_not_pending', { id: approval.id }))
    checkEpoch(store, approval.session_id, epoch)
    if (find(store, approval.id)) throw new AppError('conflict', say('approval_exists', { id: approval.id }))
    store.database.run(
      'INSERT INTO approvals (id, epoch, record) VALUES (?, ?, ?)',
      approval.id,
      epoch,
      JSON.stringify(approval),
    )
  }),

  'approvals.settle': operation('full', settle),

  'approvals.get': operation('none', (store, id: string) => find(store, id)?.record),

  'approvals.list': operation(
    'none',
    (
      { database },
      input: {
        principal: string | null
        state: string | undefined
        sessionId: string | undefined
        until: string | undefined
        limit: number
      },
    ): string[] => {
      const filter = where(
        { sql: "record ->> '$.principal' = ?", value: input.principal },
        { sql: 'session_id = ?', value: input.sessionId },
        { sql: 'state = ?', value: input.state },
        { sql: "record ->> '$.created_at' <= ?", value: input.until },
      )
      return database
        .all<ApprovalRow>(
          `SELECT number, record FROM approvals ${filter.sql}
            ORDER BY number ${input.state === 'pending' ? 'ASC' : 'DESC'} LIMIT ?`,
          ...filter.values,
          input.limit,
        )
        .map((row) => row.record)
    },
  ),

  'approvals.voidBefore': operation(
    'full',
    (store, input: { sessionId: string; epoch: number; settlement: Omit<Settlement, 'state'> }): Approval[] =>
      store.database
        .all<ApprovalRow>(
          `SELECT number, record FROM approvals WHERE session_id = ? AND state = 'pending' AND epoch < ? ORDER BY number`,
          input.sessionId,
          input.epoch,
        )
        .map((row) =>
          write(store, row, JSON.parse(row.record) as Approval, { ...input.settlement, state: 'void' }),
        ),
  ),

  'approvals.countPending': operation('none', ({ database }, principal: string | null) => {
    const filter = where(
      { sql: 'state = ?', value: 'pending' },
      { sql: "record ->> '$.principal' = ?", value: principal },
    )
    return database
      .all<{ session_id: string; pending: number }>(
        `SELECT session_id, count(*) AS pending FROM approvals ${filter.sql} GROUP BY session_id`,
        ...filter.values,
      )
      .map((row): [string, number] => [row.session_id, row.pending])
  }),

  'approvals.remove': operation('full', ({ database }, sessionId: string): void => {
    database.run('DELETE FROM approvals WHERE session_id = ?', sessionId)
  }),
}
