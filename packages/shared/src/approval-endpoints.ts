/** The part of the endpoint table that is about what agents may do: approvals, rules, the audit log. */
import { z } from 'zod'
import {
  approvalAnswerSchema,
  approvalSchema,
  approvalStateSchema,
  auditEntrySchema,
  newRuleSchema,
  ruleSchema,
} from './approval.ts'
import { flag, limit, recordParams } from './endpoint-fields.ts'
import { recordIdSchema, sessionIdSchema, timeSchema } from './ids.ts'

export const approvalEndpoints = {
  listApprovals: {
    method: 'GET',
    path: '/api/approvals',
    summary: 'Approvals and questions; open ones unless asked',
    scope: 'read',
    query: z.object({
      state: approvalStateSchema.or(z.literal('all')).default('pending'),
      session_id: sessionIdSchema.optional(),
      limit: limit(500, 100),
    }),
    response: z.object({ approvals: z.array(approvalSchema), server_time: timeSchema }),
  },
  getApproval: {
    method: 'GET',
    path: '/api/approvals/:id',
    summary: 'One approval',
    scope: 'read',
    params: recordParams,
    response: approvalSchema,
  },
  answerApproval: {
    method: 'POST',
    path: '/api/approvals/:id/answer',
    summary: 'Answer; the first answer wins',
    scope: 'approve',
    params: recordParams,
    body: approvalAnswerSchema,
    response: approvalSchema,
  },

  listRules: {
    method: 'GET',
    path: '/api/rules',
    summary: 'Rules that answer tool calls',
    scope: 'read',
    query: z.object({ revoked: flag.optional() }),
    response: z.object({ rules: z.array(ruleSchema) }),
  },
  createRule: {
    method: 'POST',
    path: '/api/rules',
    summary: 'Add a rule',
    scope: 'admin',
    body: newRuleSchema,
    response: ruleSchema,
    status: 201,
  },
  changeRule: {
    method: 'PATCH',
    path: '/api/rules/:id',
    summary: 'Change what a rule matches or where it holds',
    scope: 'admin',
    params: recordParams,
    body: newRuleSchema.partial(),
    response: ruleSchema,
  },
  revokeRule: {
    method: 'DELETE',
    path: '/api/rules/:id',
    summary: 'Revoke a rule',
    scope: 'approve',
    params: recordParams,
  },

  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'The audit log, newest first',
    scope: 'admin',
    query: z.object({
      session_id: sessionIdSchema.optional(),
      workspace_id: recordIdSchema.optional(),
      /** In capitals or not. */
      tool: z.string().max(200).optional(),
      action: z.string().max(100).optional(),
      before: z.coerce.number().int().optional(),
      limit: limit(1000, 100),
    }),
    response: z.object({ entries: z.array(auditEntrySchema), before: z.number().int().optional() }),
  },
  verifyAudit: {
    method: 'GET',
    path: '/api/audit/verify',
    summary: 'Check the chain of hashes of the audit log',
    scope: 'admin',
    response: z.object({
      intact: z.boolean(),
      entries: z.number().int(),
      first_fault: z.number().int().optional(),
    }),
  },
} as const
