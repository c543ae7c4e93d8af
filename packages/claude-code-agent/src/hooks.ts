/** Types of hooks, with the official names. */
export const hookEvents = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'PermissionRequest',
  'PermissionDenied',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'InstructionsLoaded',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const

export type HookEvent = (typeof hookEvents)[number]

/** What the CLI passes to a hook. The fields beyond these depend on the event; `tool_name` and `tool_input` come with tools. */
export interface HookInput {
  hook_event_name: HookEvent
  session_id: string
  transcript_path: string
  cwd: string
  permission_mode?: string
  tool_name?: string
  tool_input?: Record<string, unknown>
  tool_use_id?: string
  tool_response?: unknown
  prompt?: string
  /** True for `SessionStart` and `SessionEnd` at start and exit: the CLI does not raise those, so this SDK does. What the hook returns is then not used. */
  synthetic?: boolean
  [key: string]: unknown
}

export interface HookContext {
  /** Aborted when the CLI withdraws the call (an interrupt, its timeout) or the session ends. */
  signal: AbortSignal
}

export interface SyncHookOutput {
  /** False stops the agent after this hook. */
  continue?: boolean
  suppressOutput?: boolean
  stopReason?: string
  decision?: 'approve' | 'block'
  systemMessage?: string
  reason?: string
  terminalSequence?: string
  hookSpecificOutput?: PreToolUseOutput | OtherHookOutput
}

/** What a `PreToolUse` hook decides. `ask` asks `canUseTool`, in every permission mode. */
export interface PreToolUseOutput {
  hookEventName: 'PreToolUse'
  permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer'
  /** Given to the model when it is denied. */
  permissionDecisionReason?: string
  updatedInput?: Record<string, unknown>
  additionalContext?: string
}

/** What the other events take: `additionalContext` for the model, and what the CLI documents for each. */
export interface OtherHookOutput {
  hookEventName: Exclude<HookEvent, 'PreToolUse'>
  additionalContext?: string
  [key: string]: unknown
}

/** The agent goes on at once; the hook's work is not waited for. */
export interface AsyncHookOutput {
  async: true
  /** Seconds. */
  asyncTimeout?: number
}

export type HookOutput = SyncHookOutput | AsyncHookOutput

export type HookCallback = (
  input: HookInput,
  toolUseId: string | undefined,
  context: HookContext,
) => Promise<HookOutput> | HookOutput

export interface HookMatcher {
  /** A pattern of tool names, such as `Bash` or `Write|Edit`. Without one, every call matches. */
  matcher?: string
  hooks: HookCallback[]
  /** Seconds. A `PreToolUse` hook that is not done by then denies the tool. */
  timeout?: number
  /** What a hook that throws means: `continue` (the default) lets the tool run, `block` does not. */
  onFailure?: 'continue' | 'block'
}

export type HookConfigurations = Partial<Record<HookEvent, HookMatcher[]>>

/**
 * Whether a hook with this matcher is meant for a tool, or for what else its event is about. As the CLI does it (2.1.325): names between bars or commas match as a whole, anything else is a regular expression
 * that may match anywhere, and one that is not valid matches nothing.
 */
export function matchesHook(matcher: string | undefined, subject: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  if (/^[\w\s|,-]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === subject)
  try {
    return new RegExp(matcher).test(subject)
  } catch {
    return false
  }
}
