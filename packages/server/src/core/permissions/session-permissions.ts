/** The permission gateway for one session: what its CLI process asks and reports about tools. */

import { canonicalJson } from '@dorkos/mcp-gateway'
import { type Decider, type NewEvent, type Rule, type Saying, say } from '@dorkos/shared'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import { noticeOf } from '../notice.ts'
import type {
  AgentHandlers,
  ElicitationAnswer,
  ElicitationQuestion,
  PermissionAnswer,
  PermissionQuestion,
  ToolCallRan,
  ToolCallSeen,
  ToolCallVerdict,
} from '../ports/agent.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import { type AgentReply, toElicitationAnswer, toPermissionAnswer } from './agent-reply.ts'
import type { ApprovalDesk } from './approval-desk.ts'
import type { Audit } from './audit.ts'
import type { CallCounts } from './call-counts.ts'
import {
  type Circumstances,
  commandRuleOf,
  type Decision,
  decidePermission,
  verdictForToolCall,
} from './decide.ts'
import { decideByHooks, type WeighedVerdict, weighHooks } from './hook-opinions.ts'
import { hashText, inputHash } from './input-hash.ts'
import { isDenied, type KnownCall, KnownCalls, ranUnaskedBy, whyOtherwise } from './known-calls.ts'
import { newApproval } from './new-approval.ts'
import { inspectCall, type SeenCall } from './seen-call.ts'
import { SkillPrompts } from './skill-prompts.ts'
import {
  boundedInput,
  type CallFacts,
  decidedEntry,
  finishedEntry,
  otherwiseEntry,
  requestedEntry,
  shortSubject,
  type ToolEntry,
} from './tool-audit.ts'
import { answerTool, elicitationTool, kindOf } from './tool-names.ts'

/** What the gateway must know of a session. Functions return what can change while it lives. */
export interface SessionContext {
  sessionId: string
  epoch: number
  cwd: string
  principal: string
  workspace: { id: string; name: string; path: string } | undefined
  unattended: () => boolean
  /** Of the profile that the session was started with. */
  profileRules: readonly Rule[]
  folderConfirmed: () => boolean
  turnId: () => string | undefined
  permissionMode: () => string
  /** The hooks that are asked about tool calls. */
  hooks: Pick<SessionHooks, 'about' | 'loosensSandbox' | 'policy'>
  /** Appends to the session's event log. */
  emit: (event: NewEvent) => void
}

export interface SessionPermissionsDeps {
  desk: ApprovalDesk
  audit: Audit
  clock: Clock
  logger: Logger
  deadlineMinutes: () => number
  /** What holds now, for a call in this session. */
  circumstances: (session: SessionContext, call: Partial<CallCircumstances>) => Promise<Circumstances>
}

/** What is known of the call itself. */
export type CallCircumstances = Pick<Circumstances, 'permissionMode' | 'skillInUse'> & { bySubagent: boolean }

type Handlers = Pick<
  AgentHandlers,
  'onToolCall' | 'onToolFinished' | 'onPermission' | 'onElicitation' | 'onSkill'
>

export class SessionPermissions implements Handlers {
  readonly #deps: SessionPermissionsDeps
  readonly #session: SessionContext
  readonly #calls = new KnownCalls()
  readonly #skillPrompts = new SkillPrompts()
  readonly #writing = new Set<Promise<void>>()
  #counts: CallCounts = { ran: 0, denied: 0 }
  readonly #onClosed: () => void
  #closed: Saying | undefined

  constructor(deps: SessionPermissionsDeps, session: SessionContext, onClosed: () => void) {
    this.#deps = deps
    this.#session = session
    this.#onClosed = onClosed
  }

  onSkill(hookInput: Readonly<Record<string, unknown>>): void {
    this.#skillPrompts.add(hookInput)
  }

  /** Sees every call in every mode, and holds it until it is in the audit log. */
  async onToolCall(seen: ToolCallSeen): Promise<ToolCallVerdict> {
    const { toolCallId, tool, input, permissionMode, agentId, hookInput } = seen
    try {
      const call = await inspectCall(tool, input, this.#session.cwd)
      const skillInUse = this.#skillPrompts.has(hookInput)
      if (tool === 'Skill') this.#skillPrompts.add(hookInput)
      const known: KnownCall = {
        permissionMode,
        skillInUse,
        hash: call.hash,
        subject: shortSubject(call.subject),
        hookInput,
        allowedBy: this.#allowedByPolicy(tool),
        state: 'seen',
      }
      this.#calls.add(toolCallId, known)
      const bySubagent = agentId !== undefined
      const now = await this.#deps.circumstances(this.#session, { permissionMode, skillInUse, bySubagent })
      const weighed = await this.#weigh(seen, verdictForToolCall(call, now))
      if (weighed.verdict.verdict === 'pass') known.commandRule = commandRuleOf(call, now)
      await this.#record(seen, call, weighed, agentId)
      return weighed.verdict
    } catch (error) {
      this.#log({ tool, error: String(error) }, 'a tool call could not be checked')
      const known = { permissionMode, skillInUse: true, hash: '', subject: '', hookInput: {} }
      this.#calls.add(toolCallId, { ...known, state: 'denied' })
      const facts = this.#facts(tool, toolCallId, undefined)
      const detail = { message: uncheckedMessage }
      this.#writeLater([
        requestedEntry(facts, undefined, agentId),
        decidedEntry(facts, 'deny', { kind: 'server' }, { detail }),
      ])
      this.#publishDenied(tool, toolCallId, { by: { kind: 'server' }, message: uncheckedMessage })
      return { verdict: 'deny', message: uncheckedMessage }
    }
  }

  /** What hooks say is heard only where the call is not denied already. */
  async #weigh({ hookInput, signal }: ToolCallSeen, own: WeighedVerdict): Promise<WeighedVerdict> {
    if (own.verdict.verdict === 'deny') return own
    return weighHooks(own, await this.#session.hooks.about('PreToolUse', hookInput, signal))
  }

  async #record(
    { tool, toolCallId, input }: ToolCallSeen,
    call: SeenCall,
    { verdict, by = { kind: 'server' } }: WeighedVerdict,
    agentId: string | undefined,
  ): Promise<void> {
    const facts = this.#facts(tool, toolCallId, call)
    const entries = [requestedEntry(facts, boundedInput(input, call.json), agentId)]
    if (verdict.verdict === 'ask') this.#calls.mark(toolCallId, 'held')
    const isDecided = verdict.verdict === 'deny' || verdict.verdict === 'allow'
    if (isDecided) {
      entries.push(decidedEntry(facts, verdict.verdict === 'deny' ? 'deny' : 'allow', by))
      this.#calls.mark(toolCallId, verdict.verdict === 'deny' ? 'denied' : 'asked')
    }
    await this.#deps.audit.append(entries)
    if (verdict.verdict === 'deny') this.#publishDenied(tool, toolCallId, { by, message: verdict.message })
    if (verdict.verdict === 'allow') this.#publishAllowed(toolCallId, by)
  }

  async onPermission(question: PermissionQuestion): Promise<PermissionAnswer> {
    const { toolCallId, tool, input, signal } = question
    try {
      const call = await inspectCall(tool, input, this.#session.cwd)
      const known = this.#calls.get(toolCallId)
      // Where the CLI was instructed to ask, it would ask again whatever its rules.
      const commandRule = known?.state === 'seen' ? question.commandRule : undefined
      const decision = await this.#decide(call, known, signal)
      this.#calls.mark(toolCallId, decision.kind === 'deny' ? 'denied' : 'asked')
      if (decision.kind === 'ask') {
        const reply = await this.#ask(call, { ...question, commandRule })
        if (reply.kind === 'deny') this.#calls.mark(toolCallId, 'denied')
        if (reply.kind === 'allow' && known && reply.input) known.hash = inputHash(reply.input)
        return toPermissionAnswer(reply, input)
      }
      const facts = this.#facts(tool, toolCallId, call)
      await this.#deps.audit.append([decidedEntry(facts, decision.kind, decision.by)])
      if (decision.kind === 'allow') {
        this.#publishAllowed(toolCallId, decision.by)
        return { behavior: 'allow', updatedInput: input }
      }
      this.#publishDenied(tool, toolCallId, decision)
      return { behavior: 'deny', message: decision.message }
    } catch (error) {
      this.#log({ tool, error: String(error) }, 'a permission could not be decided')
      return { behavior: 'deny', message: uncheckedMessage }
    }
  }

  async #decide(call: SeenCall, known: KnownCall | undefined, signal: AbortSignal): Promise<Decision> {
    // Something put another input in its place after it was checked, and rules and hooks were heard.
    if (known && kindOf(call.tool) === 'tool' && known.hash !== call.hash)
      return { kind: 'deny', by: { kind: 'server' }, message: changedMessage }
    const decision = decidePermission(call, await this.#deps.circumstances(this.#session, known ?? {}))
    if (decision.kind !== 'ask') return decision
    const { tool, input } = call
    const hookInput = {
      ...known?.hookInput,
      hook_event_name: 'PermissionRequest',
      tool_name: tool,
      tool_input: input,
    }
    return decideByHooks(decision, await this.#session.hooks.about('PermissionRequest', hookInput, signal))
  }

  /** Nobody was asked, so no approval shows it. */
  #publishDenied(tool: string, toolCallId: string, { by, message }: { by: Decider; message: string }): void {
    this.#session.emit({
      type: 'tool_call_denied',
      tool_call_id: toolCallId,
      decided_by: by,
      decided_at: isoTime(this.#deps.clock.now()),
      message,
    })
    this.#session.emit({
      ...noticeOf(say('notice_call_denied', { tool, message }), 'permission_denied'),
      level: 'warning',
    })
  }

  /** What ran unasked says so on its card. */
  #publishAllowed(toolCallId: string, by: Decider): void {
    const decidedAt = isoTime(this.#deps.clock.now())
    this.#session.emit({
      type: 'tool_call_allowed',
      tool_call_id: toolCallId,
      decided_by: by,
      decided_at: decidedAt,
    })
  }

  async onElicitation(question: ElicitationQuestion): Promise<ElicitationAnswer> {
    const { server, message, schema, url, signal } = question
    const input = { server, message, ...(schema && { schema }), ...(url !== undefined && { url }) }
    try {
      const call = await inspectCall(elicitationTool, input, this.#session.cwd)
      const now = await this.#deps.circumstances(this.#session, {})
      const decision = decidePermission(call, now)
      if (decision.kind === 'ask') return toElicitationAnswer(await this.#ask(call, { signal }))
      const facts = this.#facts(elicitationTool, undefined, call)
      await this.#deps.audit.append([decidedEntry(facts, 'deny', decision.by, { detail: { server } })])
    } catch (error) {
      this.#log({ server, error: String(error) }, 'a form could not be put to a person')
    }
    return { action: 'cancel' }
  }

  /** Why the process must end: what ran is not what was decided. Undefined when all is well. */
  onToolRan({ toolCallId, tool, input }: ToolCallRan): Saying | undefined {
    const call = this.#calls.get(toolCallId)
    const json = canonicalJson(input)
    const hash = hashText(json)
    const reason = whyOtherwise({ call, wasSeen: this.#calls.wasSeen(toolCallId) }, tool, hash)
    if (reason === undefined) return undefined
    const facts = this.#facts(tool, toolCallId, call)
    this.#writeLater([otherwiseEntry(facts, { input: boundedInput(input, json), input_hash: hash })])
    return reason
  }

  /** The CLI reports this of every call that has a result, denied ones too. */
  onToolFinished({
    toolCallId,
    tool,
    isError,
  }: {
    toolCallId: string
    tool: string
    isError: boolean
  }): void {
    const call = this.#calls.get(toolCallId)
    const facts = this.#facts(tool, toolCallId, call)
    this.#calls.delete(toolCallId)
    if (tool !== answerTool) this.#counts[isDenied(call, isError) ? 'denied' : 'ran']++
    if (call?.state === 'denied') return
    const unseen = call ? [] : [requestedEntry(facts, undefined, undefined)]
    if (isDenied(call, isError)) {
      // A hook of the policy that refuses a call keeps it from being seen at all.
      const by = this.#session.hooks.policy.take(tool)?.by ?? { kind: 'cli' }
      return this.#writeLater([...unseen, decidedEntry(facts, 'deny', by)])
    }
    const by = ranUnaskedBy(call, facts)
    if (by?.kind === 'rule') this.#publishAllowed(toolCallId, by)
    const unasked = by ? [decidedEntry(facts, 'allow', by)] : []
    this.#writeLater([...unseen, ...unasked, finishedEntry(facts, isError)])
  }

  /** Of the calls that are over since this was last asked. */
  takeCounts(): CallCounts {
    const counts = this.#counts
    this.#counts = { ran: 0, denied: 0 }
    return counts
  }

  /** The CLI denied a call by itself (`system/permission_denied`). */
  onToolDenied({ toolCallId, tool, message }: { toolCallId: string; tool: string; message?: string }): void {
    const call = this.#calls.get(toolCallId)
    if (call?.state !== 'seen' && call?.state !== 'held') return
    const facts = this.#facts(tool, toolCallId, call)
    this.#calls.mark(toolCallId, 'denied')
    const by: Decider = { kind: facts.permissionMode === 'dontAsk' ? 'mode' : 'cli' }
    this.#writeLater([decidedEntry(facts, 'deny', by, message === undefined ? {} : { detail: { message } })])
  }

  /** Nobody can answer any more: open questions become void, with this reason. All is written when it resolves. */
  async close(reason: Saying): Promise<void> {
    this.#closed = reason
    await this.#deps.desk.closeSession(this.#session.sessionId, reason)
    await Promise.all(this.#writing)
    this.#onClosed()
  }

  async #ask(
    call: SeenCall,
    about: Pick<PermissionQuestion, 'signal'> & Partial<PermissionQuestion>,
  ): Promise<AgentReply> {
    const facts = this.#facts(call.tool, about.toolCallId, call)
    if (this.#closed !== undefined) {
      this.#writeLater([decidedEntry(facts, 'deny', { kind: 'server' })])
      return { kind: 'deny', message: this.#closed.message }
    }
    const { epoch, emit } = this.#session
    const { clock, deadlineMinutes, desk } = this.#deps
    const now = clock.now()
    const times = { now, deadline: now + deadlineMinutes() * 60_000 }
    const approval = newApproval(call, about, this.#session, times)
    return await desk.ask({ approval, epoch, facts, emit, signal: about.signal })
  }

  #allowedByPolicy(tool: string): Decider | undefined {
    const opinion = this.#session.hooks.policy.take(tool)
    return opinion?.says === 'allow' ? opinion.by : undefined
  }

  #facts(
    tool: string,
    toolCallId: string | undefined,
    call: Pick<SeenCall, 'hash' | 'subject'> | undefined,
  ): CallFacts {
    return {
      sessionId: this.#session.sessionId,
      workspaceId: this.#session.workspace?.id,
      turnId: this.#session.turnId(),
      principal: this.#session.principal,
      permissionMode: this.#calls.get(toolCallId)?.permissionMode ?? this.#session.permissionMode(),
      toolCallId,
      tool,
      inputHash: call?.hash,
      subject: call && shortSubject(call.subject),
    }
  }

  /** Written beside the agent's way: nothing waits for it but `close`. */
  #writeLater(entries: ToolEntry[]): void {
    const write = this.#deps.audit
      .append(entries)
      .catch((error: unknown) => this.#log({ error: String(error) }, 'the audit log could not be written'))
      .finally(() => this.#writing.delete(write))
    this.#writing.add(write)
  }

  #log(fields: object, message: string): void {
    this.#deps.logger.error({ sessionId: this.#session.sessionId, ...fields }, message)
  }
}

const changedMessage =
  'The input of this call was changed after it was looked at, so it was denied. Say what you need instead.'

const uncheckedMessage =
  'DorkOS could not check and record this call, so it was denied. Its log has the cause.'
