/** Approvals in memory. */
import { type Approval, say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import { type ApprovalStore, type Settlement, settledApproval } from '../../core/ports/coordination.ts'
import type { Owners } from './memory-leases.ts'

interface Entry {
  approval: Approval
  epoch: number
}

export function createMemoryApprovals(owners: Owners): ApprovalStore {
  const entries = new Map<string, Entry>()
  const pending = () => [...entries.values()].filter(({ approval }) => approval.state === 'pending')
  return {
    async open(approval, epoch) {
      if (approval.state !== 'pending')
        throw new AppError('invalid_request', say('approval_not_pending', { id: approval.id }))
      owners.check(approval.session_id, epoch)
      if (entries.has(approval.id))
        throw new AppError('conflict', say('approval_exists', { id: approval.id }))
      entries.set(approval.id, { approval: structuredClone(approval), epoch })
    },
    async settle(id, settlement, expect) {
      const entry = entries.get(id)
      if (!entry) return undefined
      const won = acceptable(entry.approval, settlement, expect)
      if (won) entry.approval = settledApproval(entry.approval, structuredClone(settlement))
      return { won, approval: structuredClone(entry.approval) }
    },
    async get(id) {
      return structuredClone(entries.get(id)?.approval)
    },
    async list({ principal, state, sessionId, until, limit }) {
      const found = [...entries.values()]
        .map(({ approval }) => approval)
        .filter((approval) => principal === null || approval.principal === principal)
        .filter((approval) => state === undefined || approval.state === state)
        .filter((approval) => sessionId === undefined || approval.session_id === sessionId)
        .filter((approval) => until === undefined || approval.created_at <= until)
      return structuredClone((state === 'pending' ? found : found.toReversed()).slice(0, limit))
    },
    async voidBefore(sessionId, epoch, settlement) {
      const old = pending().filter((entry) => entry.approval.session_id === sessionId && entry.epoch < epoch)
      for (const entry of old)
        entry.approval = settledApproval(
          entry.approval,
          structuredClone({ ...settlement, state: 'void' as const }),
        )
      return old.map(({ approval }) => structuredClone(approval))
    },
    async countPending(principal) {
      const counts = new Map<string, number>()
      for (const { approval } of pending())
        if (principal === null || approval.principal === principal)
          counts.set(approval.session_id, (counts.get(approval.session_id) ?? 0) + 1)
      return counts
    },
    async remove(sessionId) {
      for (const [id, { approval }] of entries) if (approval.session_id === sessionId) entries.delete(id)
    },
  }
}

function acceptable(approval: Approval, settlement: Settlement, expect: { inputHash?: string; now: string }) {
  if (approval.state !== 'pending') return false
  if (expect.inputHash !== undefined && expect.inputHash !== approval.input_hash) return false
  const byClock = settlement.state === 'expired' || settlement.state === 'void'
  return byClock || Date.parse(expect.now) <= Date.parse(approval.deadline)
}
