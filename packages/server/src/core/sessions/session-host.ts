/** What a CLI process needs of the session that it runs for. */
import type { McpServerHealth, NewEvent, PermissionMode, Turn, TurnReasonCode } from '@dorkos/shared'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { Logger } from '../logger.ts'
import type { CallCounts } from '../permissions/call-counts.ts'
import type { AgentHandlers, AgentTurnEnd, LiveAgent } from '../ports/agent.ts'
import type { Clock } from '../ports/clock.ts'
import type { Coordination, LeaseGrant, TurnEndRecord } from '../ports/coordination.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { SessionEvents } from './session-events.ts'

/** What the permission gateway does for one session. */
export type PermissionHandlers = Pick<
  AgentHandlers,
  'onToolCall' | 'onToolFinished' | 'onPermission' | 'onElicitation' | 'onSkill'
> & {
  /** The CLI denied a call by itself. */
  onToolDenied(call: { toolCallId: string; tool: string; message?: string }): void
  /** What became of the calls that are over since this was last asked. */
  takeCounts(): CallCounts
  /** Nobody can answer any more: open questions become void, with this reason. */
  close(reason: string): Promise<void>
}

export interface BookedTurn {
  /** Figures of the turn for its `turn_end`. */
  turnEnd: Partial<Extract<NewEvent, { type: 'turn_end' }>>
  /** `cost_update`, and warnings about budgets. */
  events: NewEvent[]
}

/** A turn that is to be booked, with who caused it. */
export interface TurnOfProcess {
  turnId: string
  principal: string
  processId: string
}

/** What a CLI process costs: followed from its start to its end. */
export interface ProcessCosts {
  /** The process has started; it is asked where its figures begin. */
  opened(process: { processId: string; isNew: boolean; agent: LiveAgent }): Promise<void>
  /** Why the turn that runs may not go on: which budget is used up. */
  refusal(): EndCause | undefined
  turnEnded(turn: TurnOfProcess & { end: AgentTurnEnd }): Promise<BookedTurn>
  /** The process died in the turn: what it had told last is all that will ever be known. */
  turnLost(turn: TurnOfProcess): Promise<BookedTurn>
  /** The model answered. Where calls do not pass the gateway, budgets are looked at now. */
  answered(): void
  closed(processId: string): void
}

/** The MCP servers of one CLI process, from its start to its end. */
export interface ProcessMcp {
  /** What the CLI is started with. `injected` are the servers that every session gets. */
  open(injected: Record<string, unknown>): Promise<Record<string, unknown>>
  /** The process runs: from now on changes reach it. */
  started(agent: LiveAgent): void
  /** The injected servers are others now. */
  inject(injected: Record<string, unknown>): Promise<void>
  /** What the CLI says of its servers, put right where we know better. */
  health(byCli: readonly McpServerHealth[]): McpServerHealth[]
  /** A turn begins, or is over. */
  turn(isRunning: boolean): void
  close(): void
}

/** Why a turn was cut off: in words for people, and for programs. */
export interface EndCause {
  reason: string
  reasonCode: TurnReasonCode
}

export interface SessionHost {
  grant: LeaseGrant
  events: SessionEvents
  coordination: Coordination
  clock: Clock
  logger: Logger
  permissions: PermissionHandlers
  hooks: SessionHooks
  costs: ProcessCosts
  record(): SessionRecord
  /** How a message ends that was sent before the process was lost, by what the transcript says. */
  outcomeOfLost(turn: Turn, why: EndCause): Promise<Omit<TurnEndRecord, 'endedAt'>>
  processState(state: 'working' | 'waiting' | 'idle' | 'paused'): void
  /** The mode that the CLI is in: an accepted plan changes it, and so does the agent when it begins to plan. */
  permissionMode(mode: PermissionMode): void
  /** The process has settings that no longer count. */
  settingsChanged(): void
  /** What the CLI says of its MCP servers, put right. */
  mcpHealth(byCli: readonly McpServerHealth[]): McpServerHealth[]
  /** The messages that wait are others now. */
  queueChanged(): Promise<void>
  turnBegan(): void
  turnEnded(outcome: AgentTurnEnd['outcome']): void
  processEnded(end: { wanted: boolean; error: string | undefined; hadTurn: boolean }): void
  fault(error: unknown): void
}
