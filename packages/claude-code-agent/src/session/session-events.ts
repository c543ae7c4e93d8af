/** What a session emits: its state in full, its events, and how it ended. */
import type { TransportFault } from '../transport/transport.ts'
import type { ContentBlock, ResultMessage, SessionMessage, TurnOutcome } from './messages.ts'
import type { MessageState, QueuedMessage } from './outbox.ts'
import type { PendingPermission, PendingToolCall, SessionState, TerminalState } from './state-machine.ts'

export interface SessionStateInfo {
  state: SessionState
  sessionId: string
  /** The oldest call of a tool of ours that is open. */
  pendingToolCall: PendingToolCall | undefined
  pendingToolCalls: readonly PendingToolCall[]
  /** The oldest permission question that is open. */
  pendingPermission: PendingPermission | undefined
  pendingPermissions: readonly PendingPermission[]
  /** Messages that the agent has not finished with, oldest first. */
  queuedMessages: readonly QueuedMessage[]
  /** Commands and subagents that run in the background; each can start a turn when it ends. */
  backgroundTasks: number
  /** How the newest turn ended. */
  lastOutcome: TurnOutcome | undefined
  stats: {
    startedAt: string | undefined
    completedAt: string | undefined
    toolCallCount: number
    messageCount: number
  }
}

export interface StateChange {
  from: SessionState
  to: SessionState
  info: SessionStateInfo
}

export interface ToolCallEvent {
  toolUseId: string
  /** The whole name, such as `mcp__calc__add` or `Bash`. */
  name: string
  toolName: string
  serverName: string | undefined
  arguments: Record<string, unknown>
}

export interface ToolResultEvent {
  toolUseId: string
  toolName: string | undefined
  content: string
  blocks: ContentBlock[]
  isError: boolean
}

export interface TurnStart {
  /** background: the agent woke by itself, since work in the background is done. */
  cause: 'message' | 'background'
  /** The messages that the turn began with: several that waited can begin one together. */
  messageUuids: string[]
}

export interface TurnEnd {
  outcome: TurnOutcome
  result: ResultMessage
  /** The messages of this turn, those included that went into it while it ran. */
  messageUuids: string[]
}

/** What became of a message that was sent. */
export interface MessageStateChange {
  uuid: string
  state: MessageState
}

/** How the session ended. */
export interface SessionResult {
  state: TerminalState
  /** How the last turn ended; undefined if there was none. */
  outcome: TurnOutcome | undefined
  result: ResultMessage | undefined
  error: Error | undefined
}

export type SessionEvents = {
  message: SessionMessage
  /** The agent calls a tool, built-in ones included. */
  toolCall: ToolCallEvent
  toolResult: ToolResultEvent
  stateChange: StateChange
  permissionRequest: PendingPermission
  /** The agent begins a turn. Not each has a message: background work that is done begins one too. */
  turnStart: TurnStart
  turnEnd: TurnEnd
  messageState: MessageStateChange
  /** The session ended, completed or cancelled. */
  complete: SessionResult
  /** The session failed. */
  error: Error
  /** A line from the CLI that could not be used; the session goes on. */
  fault: TransportFault
}
