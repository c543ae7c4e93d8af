/**
 * Where agents wait for answers. An approval is stored before it is shown; it ends by the first answer, by its deadline, or
 * because nobody waits any more, whichever the store settles first. The agent goes on only through here, and only once.
 */

import { type Approval, type Decider, type NewEvent, type Saying, say } from '@dorkos/shared'
import type { PublishServer } from '../events/event-hub.ts'
import type { Logger } from '../logger.ts'
import { inMessage } from '../notice.ts'
import { type Clock, isoTime } from '../ports/clock.ts'
import type { ApprovalStore, Settlement } from '../ports/coordination.ts'
import type { AgentReply } from './agent-reply.ts'
import { promptEvent, resolvedEvent } from './approval-events.ts'
import type { Audit } from './audit.ts'
import { type CallFacts, decidedEntry, shortSubject, type ToolEntry } from './tool-audit.ts'

export interface DeskDeps {
  store: ApprovalStore
  audit: Audit
  clock: Clock
  publish: PublishServer
  logger: Logger
}

/** One question of an agent's, while it waits. */
export interface OpenQuestion {
  approval: Approval
  epoch: number
  facts: CallFacts
  emit: (event: NewEvent) => void
  /** Aborted when the CLI no longer waits. */
  signal: AbortSignal
}

export interface ReleaseMore {
  entry?: Partial<Pick<ToolEntry, 'detail' | 'input' | 'input_hash'>>
}

interface Waiting extends OpenQuestion {
  resolve: (reply: AgentReply) => void
}

export class ApprovalDesk {
  readonly #deps: DeskDeps
  readonly #open = new Map<string, Waiting>()

  constructor(deps: DeskDeps) {
    this.#deps = deps
  }

  /** Stores it, shows it, and resolves when it is settled. Never rejects: what goes wrong denies. */
  async ask(question: OpenQuestion): Promise<AgentReply> {
    const { approval } = question
    let resolve: (reply: AgentReply) => void = () => {}
    const reply = new Promise<AgentReply>((settled) => {
      resolve = settled
    })
    // Before it is stored: an answer can come the moment it is.
    this.#open.set(approval.id, { ...question, resolve })
    try {
      await this.#deps.store.open(approval, question.epoch)
    } catch (error) {
      this.#open.delete(approval.id)
      this.#log(approval.id, error, 'an approval could not be stored')
      const refusal = denied('DorkOS could not store the question to its owner, so the call was denied.')
      await this.#isRecorded(question.facts, approval, refusal)
      return refusal
    }
    if (!this.isWaiting(approval.id)) {
      // The session was closed while it was being stored: nobody has seen it, and nobody shall answer it.
      await this.end(approval.id, 'void', { kind: 'server' }, say('session_closed'))
      return await reply
    }
    this.#publish(approval.id, () => question.emit(promptEvent(approval)))
    this.#announce(approval)
    const stopWatching = this.#watch(question)
    try {
      return await reply
    } finally {
      stopWatching()
    }
  }

  /** Whether an agent of this process waits for it. */
  isWaiting(id: string): boolean {
    return this.#open.has(id)
  }

  /**
   * Settles it if it is still open; undefined when there is no such approval. Who `won` owes the agent a `release`.
   */
  settle(
    id: string,
    settlement: Omit<Settlement, 'decidedAt'>,
  ): Promise<{ won: boolean; approval: Approval } | undefined> {
    const now = this.#now()
    const shown = this.#open.get(id)?.approval.input_hash
    const expect = { now, ...(shown !== undefined && { inputHash: shown }) }
    return this.#deps.store.settle(id, { ...settlement, decidedAt: now }, expect)
  }

  /** Notifies everybody of what was decided, and the agent last. What could not be audited does not run. */
  async release(approval: Approval, reply: AgentReply, more: ReleaseMore = {}): Promise<void> {
    const waiting = this.#open.get(approval.id)
    this.#open.delete(approval.id)
    const isRecorded = await this.#isRecorded(
      waiting?.facts ?? factsOf(approval),
      approval,
      reply,
      more.entry,
    )
    this.#publish(approval.id, () => waiting?.emit(resolvedEvent(approval)))
    this.#announce(approval)
    waiting?.resolve(isRecorded || reply.kind === 'deny' ? reply : unrecorded)
  }

  /** Ends a question without a person's answer. Loses quietly to an answer that came first. */
  async end(id: string, state: 'expired' | 'void', by: Decider, why: Saying): Promise<Approval | undefined> {
    const { message } = why
    try {
      const settled = await this.settle(id, { state, decidedBy: by, ...inMessage(why) })
      if (settled?.won) await this.release(settled.approval, denied(message))
      else if (!settled || settled.approval.state === 'pending') this.#drop(id, message)
      return settled?.approval
    } catch (error) {
      this.#log(id, error, 'an approval could not be settled')
      this.#drop(id, message)
      return undefined
    }
  }

  /** Ends all that a session of this process waits for. */
  async closeSession(sessionId: string, reason: Saying): Promise<void> {
    const mine = [...this.#open.values()].filter(({ approval }) => approval.session_id === sessionId)
    await Promise.all(mine.map(({ approval }) => this.end(approval.id, 'void', { kind: 'server' }, reason)))
  }

  /** Ends what earlier owners of a session left open. Their events are the caller's to emit, with its own epoch. */
  async voidBefore(sessionId: string, epoch: number, reason: Saying): Promise<Approval[]> {
    const settlement = {
      decidedAt: this.#now(),
      decidedBy: { kind: 'server' } as const,
      ...inMessage(reason),
    }
    const ended = await this.#deps.store.voidBefore(sessionId, epoch, settlement)
    for (const approval of ended) {
      this.#announce(approval)
      const facts = this.#open.get(approval.id)?.facts ?? factsOf(approval)
      await this.#isRecorded(facts, approval, denied(reason.message))
      this.#drop(approval.id, reason.message)
    }
    return ended
  }

  #watch({ approval, signal }: OpenQuestion): () => void {
    const { clock } = this.#deps
    const { id } = approval
    const withdrawn = () => void this.end(id, 'void', { kind: 'server' }, say('void_turn_ended'))
    const expired = () => void this.end(id, 'expired', { kind: 'deadline' }, expiredMessage(approval))
    const cancelTimer = clock.after(Date.parse(approval.deadline) - clock.now(), expired)
    signal.addEventListener('abort', withdrawn, { once: true })
    if (signal.aborted) withdrawn()
    return () => {
      cancelTimer()
      signal.removeEventListener('abort', withdrawn)
    }
  }

  /** Lets the agent go on without a record to settle. */
  #drop(id: string, message: string): void {
    this.#open.get(id)?.resolve(denied(message))
    this.#open.delete(id)
  }

  async #isRecorded(
    facts: CallFacts,
    approval: Approval,
    reply: AgentReply,
    more: ReleaseMore['entry'] = {},
  ): Promise<boolean> {
    const by = approval.decided_by ?? { kind: 'server' }
    try {
      await this.#deps.audit.append([
        decidedEntry(facts, reply.kind, by, { approval_id: approval.id, ...more }),
      ])
      return true
    } catch (error) {
      this.#log(approval.id, error, 'a decision could not be audited')
      return false
    }
  }

  #announce(approval: Approval): void {
    const { publish } = this.#deps
    this.#publish(approval.id, () =>
      publish({ type: 'approval_changed', time: this.#now(), approval }, approval.principal),
    )
  }

  /** Nobody who is only notified can keep the agent waiting. */
  #publish(id: string, publish: () => void): void {
    try {
      publish()
    } catch (error) {
      this.#log(id, error, 'an approval could not be announced')
    }
  }

  #log(approvalId: string, error: unknown, message: string): void {
    this.#deps.logger.error({ approvalId, error: String(error) }, message)
  }

  #now(): string {
    return isoTime(this.#deps.clock.now())
  }
}

const unrecorded: AgentReply = denied('DorkOS could not write its audit log, so the call was denied.')

function denied(message: string): AgentReply {
  return { kind: 'deny', message }
}

/** What an approval says of its call, when the process that asked is gone. */
function factsOf(approval: Approval): CallFacts {
  const { command } = approval.input
  return {
    sessionId: approval.session_id,
    workspaceId: approval.workspace_id,
    turnId: approval.turn_id,
    principal: approval.principal,
    permissionMode: undefined,
    toolCallId: approval.tool_call_id,
    tool: approval.tool,
    inputHash: approval.input_hash,
    subject: shortSubject(typeof command === 'string' ? command : JSON.stringify(approval.input)),
  }
}

export function expiredMessage({ kind }: Approval): Saying {
  return kind === 'tool' ? say('void_nobody_answered_call') : say('void_nobody_answered')
}
