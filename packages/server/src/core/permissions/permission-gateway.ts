/**
 * The permission gateway: nobody acts unasked, in any mode. It checks every tool call before the CLI decides about it, puts
 * to a person what the CLI asks, answers by rules, and writes all of it to the audit log. What it cannot check it denies.
 */
import { type Approval, type Config, type Saying, say } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { PublishServer } from '../events/event-hub.ts'
import type { Logger } from '../logger.ts'
import type { Clock } from '../ports/clock.ts'
import type { ApprovalStore } from '../ports/coordination.ts'
import { realPath } from '../real-path.ts'
import type { ApprovalService } from '../services.ts'
import { ApprovalDesk } from './approval-desk.ts'
import { createApprovals } from './approvals.ts'
import type { Audit } from './audit.ts'
import { type Circumstances, findDenial } from './decide.ts'
import type { Rules } from './rules.ts'
import { inspectCall, type SeenCall } from './seen-call.ts'
import { type CallCircumstances, type SessionContext, SessionPermissions } from './session-permissions.ts'

export interface PermissionGatewayDeps {
  approvals: ApprovalStore
  rules: Rules
  audit: Audit
  clock: Clock
  config: () => Pick<Config, 'approvals'>
  publish: PublishServer
  logger: Logger
  /** Folders that tools may not touch: the state folder. Absolute. */
  protectedFolders: readonly string[]
}

export interface PermissionGateway {
  openFor(session: SessionContext): SessionPermissions
  approvals: ApprovalService
  /**
   * For a session that was taken over: what epochs before this one left open is void, and never runs. Answers with it; the
   * new owner publishes each with `resolvedEvent`.
   */
  voidOpen(sessionId: string, epoch: number, reason: Saying): Promise<Approval[]>
}

export function createPermissionGateway(deps: PermissionGatewayDeps): PermissionGateway {
  const { approvals: store, rules, audit, clock, config, publish, logger } = deps
  const desk = new ApprovalDesk({ store, audit, clock, publish, logger })
  const open = new Map<string, SessionContext>()

  const protectedFolders = async (): Promise<string[]> => {
    const real = await Promise.all(deps.protectedFolders.map(realPath))
    return [...new Set([...deps.protectedFolders, ...real])]
  }

  const circumstances = async (
    session: SessionContext,
    {
      permissionMode = session.permissionMode(),
      skillInUse = false,
      bySubagent = false,
    }: Partial<CallCircumstances>,
  ): Promise<Circumstances> => ({
    scope: { sessionId: session.sessionId, workspace: session.workspace },
    permissionMode,
    // Only a subagent has a mode of its own; of the session's the CLI may know before we do.
    sessionMode: bySubagent ? session.permissionMode() : permissionMode,
    skillInUse,
    sandboxLoosened: session.hooks.loosensSandbox,
    unattended: session.unattended(),
    folderConfirmed: session.folderConfirmed(),
    rules: [...session.profileRules, ...(await rules.active(session.principal))],
    protectedFolders: await protectedFolders(),
    directories: session.workspace ? [session.cwd, session.workspace.path] : [session.cwd],
  })

  const checkEdit = async (approval: Approval, input: Record<string, unknown>): Promise<SeenCall> => {
    const session = open.get(approval.session_id)
    if (!session) throw new AppError('conflict', say('asking_session_gone'))
    const call = await inspectCall(approval.tool, input, session.cwd).catch((cause: unknown) => {
      throw invalidEdit(say('edit_unchecked'), cause)
    })
    const denial = findDenial(call, await circumstances(session, {}))
    if (denial) throw invalidEdit(denial.message)
    return call
  }

  return {
    approvals: createApprovals({ store, desk, rules, clock, logger, checkEdit }),

    openFor(session) {
      open.set(session.sessionId, session)
      const deadlineMinutes = () => config().approvals.deadlineMinutes
      return new SessionPermissions(
        { desk, audit, clock, logger, circumstances, deadlineMinutes },
        session,
        () => {
          if (open.get(session.sessionId) === session) open.delete(session.sessionId)
        },
      )
    },

    voidOpen: (sessionId, epoch, reason) => desk.voidBefore(sessionId, epoch, reason),
  }
}

function invalidEdit(why: string | Saying, cause?: unknown): AppError {
  return new AppError('invalid_request', say('edit_refused', { why }), {
    details: [{ path: 'updated_input', message: typeof why === 'string' ? why : why.message }],
    cause,
  })
}
