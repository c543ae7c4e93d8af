/** Approvals as people see them: what is open, what was decided, and the one answer that counts. */
import { canonicalJson } from '@dorkos/mcp-gateway'
import { type Approval, type ApprovalAnswer, say, sayAgain } from '@dorkos/shared'
import { type Actor, deciderOf } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { ApprovalStore, Settlement } from '../ports/coordination.ts'
import type { ApprovalService } from '../services.ts'
import { type ApprovalDesk, expiredMessage, type ReleaseMore } from './approval-desk.ts'
import { type CheckedAnswer, checkAnswer } from './check-answer.ts'
import { hashText } from './input-hash.ts'
import { proposedRule, ruleOfAnswer } from './proposed-rule.ts'
import { newRuleId, type Rules } from './rules.ts'
import type { SeenCall } from './seen-call.ts'
import { boundedInput, longestInput } from './tool-audit.ts'

export interface ApprovalsDeps {
  store: ApprovalStore
  desk: ApprovalDesk
  rules: Rules
  clock: Clock
  logger: Logger
  /** Checks an edited input; throws `AppError` for one that may not run. */
  checkEdit: (approval: Approval, input: Record<string, unknown>) => Promise<SeenCall>
}

export function createApprovals(deps: ApprovalsDeps): ApprovalService {
  const { store, clock } = deps
  const find = async (actor: Actor, id: string): Promise<Approval> => {
    const approval = await store.get(id)
    if (approval?.principal !== actor.principal) throw noSuchApproval()
    return approval
  }
  return {
    async list({ principal }, { state, session_id, limit }) {
      const approvals = await store.list({
        principal,
        ...(state !== 'all' && { state }),
        ...(session_id !== undefined && { sessionId: session_id }),
        limit,
      })
      return { approvals, server_time: isoTime(clock.now()) }
    },
    get: find,
    async answer(actor, id, answer) {
      checkRights(actor, answer)
      const approval = await find(actor, id)
      if (approval.state !== 'pending') throw alreadyAnswered(approval)
      return settleByPerson(deps, actor, approval, answer)
    },
  }
}

/** A rule that holds everywhere is made by who could add it by hand. */
function checkRights({ scopes }: Actor, answer: ApprovalAnswer): void {
  if (!scopes.includes('approve')) throw new AppError('forbidden', say('approve_needed'))
  if (answer.decision === 'allow' && answer.scope === 'everywhere' && !scopes.includes('admin'))
    throw new AppError('forbidden', say('admin_needed_for_everywhere'), {
      details: { needs: 'admin', has: scopes },
    })
}

async function settleByPerson(
  deps: ApprovalsDeps,
  actor: Actor,
  approval: Approval,
  answer: ApprovalAnswer,
): Promise<Approval> {
  const { desk } = deps
  const checked = checkAnswer(approval, answer)
  if (!desk.isWaiting(approval.id)) throw await unwaited(deps, approval.id)
  const edited = checked.edited && checked.reply.kind === 'allow' ? checked.reply.input : undefined
  const runs = edited && approval.kind === 'tool' ? await deps.checkEdit(approval, edited) : undefined
  const rule = ruleOf(approval, answer, runs)
  const settled = await desk.settle(approval.id, {
    ...settlementOf(actor, checked),
    ...(answer.decision === 'allow' && approval.kind === 'tool' && { scope: answer.scope }),
    ...(rule && { ruleId: rule.id }),
  })
  if (!settled) throw noSuchApproval()
  if (!settled.won) throw await lost(desk, settled.approval)
  if (rule) await makeRule(deps, actor, rule)
  await desk.release(settled.approval, checked.reply, {
    ...(edited && { entry: approvedInput(edited, runs) }),
  })
  return settled.approval
}

/**
 * No agent of this server waits for it: it is being settled right now, or a process that is gone asked. Nothing would run
 * then, so nobody may think that it did.
 */
async function unwaited({ desk, store }: ApprovalsDeps, id: string): Promise<AppError> {
  const approval =
    (await desk.end(id, 'void', { kind: 'server' }, say('void_agent_gone'))) ?? (await store.get(id))
  return approval ? alreadyAnswered(approval) : noSuchApproval()
}

/** Somebody was faster, or the deadline was: then it is settled as expired, where the timer has not done it yet. */
async function lost(desk: ApprovalDesk, approval: Approval): Promise<AppError> {
  if (approval.state !== 'pending') return alreadyAnswered(approval)
  const expired = await desk.end(approval.id, 'expired', { kind: 'deadline' }, expiredMessage(approval))
  return alreadyAnswered(expired ?? approval)
}

function settlementOf(actor: Actor, { reply, edited, answer }: CheckedAnswer): Omit<Settlement, 'decidedAt'> {
  return {
    state: reply.kind === 'allow' ? 'allowed' : 'denied',
    decidedBy: deciderOf(actor),
    ...(reply.kind === 'deny' && { message: reply.message }),
    ...(edited && { edited: true }),
    ...(edited && reply.kind === 'allow' && isShown(reply.input) && { updatedInput: reply.input }),
    ...(answer && { answer }),
  }
}

/** Whether an edited input is short enough to stand in the record, which pages load in numbers. */
function isShown(input: Record<string, unknown> | undefined): input is Record<string, unknown> {
  return input !== undefined && JSON.stringify(input).length <= longestInput
}

/** Of the input that runs, and under an id of its own. */
function ruleOf(approval: Approval, answer: ApprovalAnswer, runs: SeenCall | undefined) {
  const proposed = runs ? proposedRule(runs, approval.workspace_id) : approval.proposed_rule
  const rule = ruleOfAnswer(proposed, runs?.input ?? approval.input, answer, approval)
  return rule && { id: newRuleId(), ...rule }
}

/** The answer stands without its rule: what cannot be remembered will be asked again. */
async function makeRule(
  { rules, logger }: ApprovalsDeps,
  actor: Actor,
  rule: Parameters<Rules['createFromAnswer']>[1],
): Promise<void> {
  try {
    await rules.createFromAnswer(actor, rule)
  } catch (error) {
    logger.error({ tool: rule.tool, error: String(error) }, 'the rule of an answer could not be stored')
  }
}

/** The audit log names what was approved, not only what was asked. */
function approvedInput(
  input: Record<string, unknown>,
  runs: SeenCall | undefined,
): ReleaseMore['entry'] & object {
  const json = runs?.json ?? canonicalJson(input)
  return {
    input: boundedInput(input, json),
    input_hash: runs?.hash ?? hashText(json),
    detail: { edited: true },
  }
}

function alreadyAnswered(approval: Approval): AppError {
  const { id, state, decided_at, decided_by, message, said } = approval
  const who = decided_by?.token_name ?? decided_by?.principal
  const saying = {
    pending: say('approval_being_decided'),
    allowed: say('approval_allowed', { who }),
    denied: say('approval_denied', { who }),
    expired: say('approval_expired'),
    void: say('approval_void', { why: (said && sayAgain(said)) ?? message }),
  }[state]
  return new AppError('already_answered', saying, {
    details: { id, state, decided_at, decided_by, message },
  })
}

function noSuchApproval(): AppError {
  return new AppError('not_found', say('approval_not_found'))
}
