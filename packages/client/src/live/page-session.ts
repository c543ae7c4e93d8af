/**
 * What the page knows of one session. Made by the reducer (reduce-session.ts) from a snapshot, pages of history and events,
 * and only drawn by components. Everything is immutable: what did not change is the same object as before, so a component
 * that compares by identity draws only what is new.
 */
import type {
  AllowScope,
  Approval,
  ApprovalState,
  Decider,
  EventOf,
  McpServerHealth,
  MessageContent,
  RateLimit,
  Said,
  Session,
  SessionCost,
  StreamEvent,
  Task,
  TokenCounts,
  Turn,
  TurnCause,
  TurnOutcome,
  TurnReasonCode,
} from '@dorkos/shared'
export type Todo = EventOf<'todo_update'>['todos'][number]
/** Of turns that nobody's message began. */
export type WakingCause = Exclude<TurnCause, 'message' | 'steer'>
export type ContentBlock = { type: string; [key: string]: unknown }

/** What stands in a conversation, in its order. `key` is the same live and after a reload. */
export type Item = UserItem | TextItem | ThinkingItem | ToolItem | ApprovalItem | TurnItem | MarkerItem

interface ItemBase {
  readonly key: string
  readonly time: string
}

export interface UserItem extends ItemBase {
  readonly kind: 'user'
  readonly messageId: string
  readonly content: MessageContent | readonly ContentBlock[]
  /** Written by the CLI and not by a person. */
  readonly synthetic: boolean
  /** It was put into a turn that ran, and began none of its own. */
  readonly joined?: boolean
}

export interface TextItem extends ItemBase {
  readonly kind: 'text'
  readonly messageId: string
  readonly text: string
  /** More of it is coming. */
  readonly streaming: boolean
}

export interface ThinkingItem extends ItemBase {
  readonly kind: 'thinking'
  readonly messageId: string
  readonly text: string
  readonly streaming: boolean
  /** As the CLI says, once it is complete: for "thought for 4 s". */
  readonly durationMs: number | undefined
}

/**
 * `writing`: its input is still coming. `waiting`: a person is asked. `running`. `done`, `failed`: its result says so. `denied`,
 * `expired`, `void`: it never ran. `interrupted`: it was stopped. `unknown`: it ran, and the turn ended before its result came.
 */
export type ToolStatus =
  | 'writing'
  | 'waiting'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'expired'
  | 'void'
  | 'interrupted'
  | 'unknown'

export interface ToolItem extends ItemBase {
  readonly kind: 'tool'
  readonly callId: string
  readonly messageId: string | undefined
  /** Which block of its message it is. */
  readonly index: number | undefined
  /** Such as `Bash` or `mcp__github__create_issue`. */
  readonly name: string
  readonly status: ToolStatus
  /** The JSON of the input as far as it came; empty once `input` is there. */
  readonly inputJson: string
  readonly input: Readonly<Record<string, unknown>> | undefined
  readonly result: ToolResult | undefined
  /** The newest word of a running tool. */
  readonly progress:
    | { readonly text: string | undefined; readonly elapsedSeconds: number | undefined }
    | undefined
  readonly approvalId: string | undefined
  /** How it was decided whether it may run, where it was. Also for what a rule or the mode decided. */
  readonly decision: Decision | undefined
  /** When its input was complete, and when its result came: by the CLI's clock, where that is reported. */
  readonly startTime: string | undefined
  readonly endTime: string | undefined
  /** What a subagent that this call started says and does. */
  readonly children: readonly Item[]
  readonly subagent: Subagent | undefined
}

export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly isError: boolean
  /** A hook denied the call; one of the settings', where no `decision` says that it was DorkOS. */
  readonly deniedByHook?: boolean
  readonly detail: unknown
  readonly omittedBytes: number
}

export interface Decision {
  readonly state: ApprovalState
  readonly by: Decider | undefined
  readonly time: string
  readonly message: string | undefined
  readonly said?: Said | undefined
  readonly edited: boolean
  /** What ran instead of the call's input, where that was edited. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined
  /** How long an allowance holds. */
  readonly scope?: AllowScope | undefined
  readonly answer: unknown
}

export interface Subagent {
  readonly agent: string | undefined
  readonly description: string | undefined
  readonly background: boolean
  /** Absent while it works; then as the CLI says: `completed`, `failed`, `stopped` … */
  readonly status: string | undefined
  readonly summary: string | undefined
}

/** A question that belongs to no tool call in the conversation, such as a form of an MCP server. */
export interface ApprovalItem extends ItemBase {
  readonly kind: 'approval'
  readonly approvalId: string
}

/** The end of a turn. */
export interface TurnItem extends ItemBase {
  readonly kind: 'turn'
  readonly turnId: string
  readonly outcome: TurnOutcome
  readonly reason: string | undefined
  readonly reasonCode?: TurnReasonCode | undefined
  readonly said?: Said | undefined
  readonly durationMs: number | undefined
  readonly tokens: TokenCounts | undefined
  readonly usd: number | undefined
}

export interface MarkerItem extends ItemBase {
  readonly kind: 'marker'
  readonly marker:
    | {
        readonly type: 'compaction'
        readonly trigger: string | undefined
        readonly tokensBefore: number | undefined
      }
    | {
        readonly type: 'retry'
        readonly attempt: number
        readonly maxAttempts: number | undefined
        readonly delayMs: number | undefined
        readonly status: number | undefined
        readonly message: string | undefined
        /** Nothing came after it yet: the next try is ahead, or under way. */
        readonly waiting: boolean
      }
    | {
        readonly type: 'rate_limit'
        readonly status: string
        readonly limit: string | undefined
        readonly resetsAt: string | undefined
        readonly utilization: number | undefined
      }
    | {
        readonly type: 'notice'
        readonly level: 'info' | 'warning'
        readonly code: string
        readonly message: string
        readonly said?: Said | undefined
      }
    | {
        readonly type: 'error'
        readonly code: string
        readonly message: string
        readonly said?: Said | undefined
      }
    /** A hook of the settings: what it said, or how it went wrong. */
    | {
        readonly type: 'hook'
        readonly hook: string
        readonly outcome: EventOf<'hook_result'>['outcome']
        readonly output: string
      }
    /** A turn that nobody's message began. */
    | { readonly type: 'woken'; readonly cause: WakingCause }
    /** Another process took the session over: a restart of the server, a resume. */
    | { readonly type: 'taken_over'; readonly reason: string }
}

export interface PageSession {
  readonly id: string
  /** `loading` until the first snapshot. `gone`: it was deleted, or this token may not see it. */
  readonly phase: 'loading' | 'ready' | 'gone'
  readonly session: Session | undefined
  /** The newest event that is in here: what is not newer is not applied again. */
  readonly at: string | undefined
  readonly items: readonly Item[]
  /** The turn that runs now. */
  readonly turn: { readonly id: string; readonly startedAt: string } | undefined
  /** Messages that wait, in order. */
  readonly queue: readonly Turn[]
  /** Messages that the agent was given and has not begun with. */
  readonly handed: readonly Turn[]
  /** By id: those that wait, and those whose end was published while the page was open. */
  readonly approvals: Readonly<Record<string, Approval>>
  readonly todos: readonly Todo[]
  /** Commands and subagents that run, and those that ended last. */
  readonly tasks: readonly Task[]
  readonly mcpServers: readonly McpServerHealth[]
  readonly cost: SessionCost | undefined
  /** What was last reported about the model's own limit. */
  readonly rateLimit: RateLimit | undefined
  /** Since when what is known of changed files may be old. */
  readonly changesAt: string | undefined
  readonly history: HistoryState
  /** Events about tool calls that stand in a page of the history that is not loaded yet. */
  readonly orphans: readonly StreamEvent[]
}

export interface HistoryState {
  /** `idle`: the next older page can be asked for. `complete`: the beginning is reached. */
  readonly phase: 'unloaded' | 'loading' | 'idle' | 'failed' | 'complete'
  readonly before: string | undefined
  readonly fault: string | undefined
}
