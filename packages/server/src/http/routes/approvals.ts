/** Approvals, the rules that answer ahead, and the audit log of both. */
import type { ApprovalService, AuditService, RuleService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function approvalRoutes(approvals: ApprovalService, rules: RuleService, audit: AuditService) {
  return {
    listApprovals: ({ query }) => approvals.list(query),
    getApproval: ({ params }) => approvals.get(params.id),
    answerApproval: ({ caller, params, body }) => approvals.answer(caller, params.id, body),
    listRules: async ({ query }) => ({ rules: await rules.list(query.revoked ?? false) }),
    createRule: ({ caller, body }) => rules.create(caller, body),
    changeRule: ({ caller, params, body }) => rules.change(caller, params.id, body),
    revokeRule: ({ caller, params }) => rules.revoke(caller, params.id),
    listAudit: ({ query }) => audit.list(query),
    verifyAudit: () => audit.verify(),
  } satisfies Partial<Handlers>
}
