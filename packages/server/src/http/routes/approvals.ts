/** Approvals, the rules that answer ahead, and the audit log of both. */
import type { ApprovalService, AuditService, RuleService } from '../../core/services.ts'
import type { Handlers } from '../route.ts'

export function approvalRoutes(approvals: ApprovalService, rules: RuleService, audit: AuditService) {
  return {
    listApprovals: ({ actor, query }) => approvals.list(actor, query),
    getApproval: ({ actor, params }) => approvals.get(actor, params.id),
    answerApproval: ({ actor, params, body }) => approvals.answer(actor, params.id, body),
    listRules: async ({ actor, query }) => ({ rules: await rules.list(actor, query.revoked ?? false) }),
    createRule: ({ actor, body }) => rules.create(actor, body),
    changeRule: ({ actor, params, body }) => rules.change(actor, params.id, body),
    revokeRule: ({ actor, params }) => rules.revoke(actor, params.id),
    listAudit: ({ actor, query }) => audit.list(actor, query),
    verifyAudit: ({ actor }) => audit.verify(actor),
  } satisfies Partial<Handlers>
}
