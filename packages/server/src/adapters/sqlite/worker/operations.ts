/** Everything that the database thread can be asked. */
import { approvalOperations } from './approval-operations.ts'
import { auditOperations } from './audit-operations.ts'
import { draftOperations } from './draft-operations.ts'
import { eventLogOperations } from './event-log-operations.ts'
import { hookConsentOperations } from './hook-consent-operations.ts'
import { leaseOperations } from './lease-operations.ts'
import { ledgerOperations } from './ledger-operations.ts'
import { mcpOperations } from './mcp-operations.ts'
import type { Operation } from './operation.ts'
import { queueOperations } from './queue-operations.ts'
import { ruleOperations } from './rule-operations.ts'
import { runningCostOperations } from './running-cost-operations.ts'
import { sessionOperations } from './session-operations.ts'
import { shortLivedOperations } from './short-lived-operations.ts'
import { tokenOperations } from './token-operations.ts'
import { trustOperations } from './trust-operations.ts'
import { turnOperations } from './turn-operations.ts'
import { turnTreeOperations } from './turn-tree-operations.ts'
import { workspaceOperations } from './workspace-operations.ts'

export const operations = {
  ...eventLogOperations,
  ...leaseOperations,
  ...turnOperations,
  ...queueOperations,
  ...approvalOperations,
  ...runningCostOperations,
  ...shortLivedOperations,
  ...sessionOperations,
  ...draftOperations,
  ...workspaceOperations,
  ...ruleOperations,
  ...tokenOperations,
  ...auditOperations,
  ...ledgerOperations,
  ...trustOperations,
  ...hookConsentOperations,
  ...mcpOperations,
  ...turnTreeOperations,
}

type Operations = typeof operations
export type OperationName = keyof Operations
export type OperationInput<N extends OperationName> =
  Operations[N] extends Operation<infer Input, unknown> ? Input : never
export type OperationOutput<N extends OperationName> = ReturnType<Operations[N]['run']>
