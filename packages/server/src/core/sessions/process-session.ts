/** What a CLI process works with: the parts of its session, each of which owns its state, and who follows the process. */
import type { McpServerHealth, NewEvent, Saying, TurnReasonCode } from '@dorkos/shared'
import type { SessionHooks } from '../hooks/session-hooks.ts'
import type { CallCounts } from '../permissions/call-counts.ts'
import type { Agent, AgentHandlers, AgentSpec, AgentTurnEnd, LiveAgent, ToolCallRan } from '../ports/agent.ts'
import type { SessionRecord } from '../ports/records.ts'
import type { OwnedTurns } from './owned-turns.ts'
import type { SessionEmitter } from './session-emitter.ts'
import type { ProcessEnd, SessionStatus } from './session-status.ts'

/** What the permission gateway does for one session. */
export type PermissionHandlers = Pick<
  AgentHandlers,
  'onToolCall' | 'onToolFinished' | 'onPermission' | 'onElicitation' | 'onSkill'
> & {
  /** Why the process must end: what ran is not what was decided. */
  onToolRan(call: ToolCallRan): Saying | undefined
  /** The CLI denied a call by itself. */
  onToolDenied(call: { toolCallId: string; tool: string; message?: string }): void
  /** What became of the calls that are over since this was last asked. */
  takeCounts(): CallCounts
  /** Nobody can answer any more: open questions become void, with this reason. */
  close(reason: Saying): Promise<void>
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
  /** The process died in the turn: what it had reported last is all that will ever be known. */
  turnLost(turn: TurnOfProcess): Promise<BookedTurn>
  /** The model answered. Where calls do not pass the gateway, budgets are checked now. */
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
  /** What the CLI says of its servers, corrected where we know better. */
  health(byCli: readonly McpServerHealth[]): McpServerHealth[]
  /** A turn begins, or is over. */
  turn(isRunning: boolean): void
  close(): void
}

/** What a CLI process changes in the session's directory. None of it fails a call. */
export interface ProcessChanges {
  /** A call may run, or is about to: resolves when what it may change is kept. */
  beforeCall(call: ToolCallRan): Promise<void>
  afterCall(call: ToolCallRan): Promise<void>
  turnBegan(turnId: string): void
  turnEnded(): void
  backgroundTasksChanged(count: number): void
  /** The process is gone. */
  close(): Promise<void>
}

/** Why a turn was cut off: in words for people, and for programs. */
export interface EndCause {
  reason: Saying
  reasonCode: TurnReasonCode
}

/** What the server around a session gives to its processes: made anew for each that starts. */
export interface ProcessSources {
  hooks(record: SessionRecord): Promise<SessionHooks>
  permissions(hooks: SessionHooks): Promise<PermissionHandlers>
  costs(): ProcessCosts
  changes(): ProcessChanges
  /** The MCP servers, besides those that every session gets. */
  mcp(): ProcessMcp
  /** What the CLI is started with but for MCP servers. */
  spec(record: SessionRecord, hooks: SessionHooks): Promise<Omit<AgentSpec, 'mcpServers'>>
  /** Before each message and after each turn: whether the workspace is still as it was. May ask for a restart. */
  checkWorkspace(): Promise<void>
}

/** What the owner of a session keeps of it, whether or not a process runs. */
export interface OwnedSession {
  turns: OwnedTurns
  events: SessionEmitter
  status: SessionStatus
}

export interface ProcessSession extends OwnedSession {
  agent: Agent
  permissions: PermissionHandlers
  hooks: SessionHooks
  costs: ProcessCosts
  changes: ProcessChanges
  mcp: ProcessMcp
}

/** Who started the process. */
export interface ProcessOwner {
  /** The process holds what no longer counts: the next message is for another. */
  restartWhenIdle(reason: Saying): void
  /** The messages that wait are others now. */
  queueChanged(): Promise<void>
  turnEnded(): void
  processEnded(end: ProcessEnd): void
}
