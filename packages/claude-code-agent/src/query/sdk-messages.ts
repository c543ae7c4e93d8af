/**
 * Types of the CLI's messages, under the official names. They describe what arrives; nothing is checked or changed.
 * Undeclared fields do arrive, and so do types that are not listed: those are read as `unknown`.
 */

interface FromSession {
  uuid: string
  session_id: string
  [key: string]: unknown
}

interface SDKTextBlock {
  type: 'text'
  text: string
  [key: string]: unknown
}

interface SDKThinkingBlock {
  type: 'thinking'
  thinking: string
  [key: string]: unknown
}

interface SDKToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
  [key: string]: unknown
}

interface SDKToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: string | SDKContentBlock[]
  is_error?: boolean
  [key: string]: unknown
}

interface SDKOtherBlock {
  type:
    | 'redacted_thinking'
    | 'image'
    | 'document'
    | 'search_result'
    | 'server_tool_use'
    | 'web_search_tool_result'
    | 'tool_reference'
  [key: string]: unknown
}

export type SDKContentBlock =
  | SDKTextBlock
  | SDKThinkingBlock
  | SDKToolUseBlock
  | SDKToolResultBlock
  | SDKOtherBlock

/** One block of an answer: the CLI sends each as a message of its own. */
export interface SDKAssistantMessage extends FromSession {
  type: 'assistant'
  message: {
    id: string
    role: 'assistant'
    model: string
    content: SDKContentBlock[]
    stop_reason: string | null
    usage: Record<string, unknown>
    [key: string]: unknown
  }
  /** The tool call of the subagent that speaks. */
  parent_tool_use_id: string | null
  /** Set where the answer is the CLI's word on a failed request. */
  error?: string
}

/** Tool results, what the CLI added to the conversation, and replays of what the program sent. */
interface SDKUserMessageEcho extends FromSession {
  type: 'user'
  message: { role: 'user'; content: string | SDKContentBlock[]; [key: string]: unknown }
  parent_tool_use_id: string | null
  isReplay?: boolean
  tool_use_result?: unknown
}

export interface SDKPermissionDenial {
  tool_name: string
  tool_use_id: string
  tool_input: Record<string, unknown>
}

interface SDKResult extends FromSession {
  type: 'result'
  is_error: boolean
  num_turns: number
  duration_ms: number
  duration_api_ms: number
  stop_reason: string | null
  /** What the process has cost so far, not this turn alone. */
  total_cost_usd: number
  usage: Record<string, unknown>
  modelUsage: Record<string, unknown>
  permission_denials: SDKPermissionDenial[]
  /** `aborted_…` for an interrupt. */
  terminal_reason?: string
}

/** Can carry `is_error: true`, for example when the API refused. */
export interface SDKResultSuccess extends SDKResult {
  subtype: 'success'
  result: string
  structured_output?: unknown
}

export interface SDKResultError extends SDKResult {
  subtype:
    | 'error_during_execution'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_structured_output_retries'
  errors: string[]
}

export type SDKResultMessage = SDKResultSuccess | SDKResultError

/** Comes at the start of every turn. */
export interface SDKSystemMessage extends FromSession {
  type: 'system'
  subtype: 'init'
  cwd: string
  tools: string[]
  mcp_servers: { name: string; status: string; source?: string }[]
  model: string
  permissionMode: string
  slash_commands: string[]
  agents?: string[]
  claude_code_version: string
  capabilities?: string[]
}

interface SDKSystemEvent extends FromSession {
  type: 'system'
  subtype:
    | 'api_retry'
    | 'background_tasks_changed'
    | 'commands_changed'
    | 'compact_boundary'
    | 'elicitation_complete'
    | 'files_persisted'
    | 'hook_progress'
    | 'hook_response'
    | 'hook_started'
    | 'informational'
    | 'local_command_output'
    | 'memory_recall'
    | 'model_refusal_fallback'
    | 'model_refusal_no_fallback'
    | 'notification'
    | 'permission_denied'
    | 'plugin_install'
    | 'session_title_changed'
    | 'status'
    | 'task_notification'
    | 'task_progress'
    | 'task_started'
    | 'task_updated'
    | 'thinking_tokens'
}

/** An event of the Messages API's stream. */
export interface SDKPartialAssistantMessage extends FromSession {
  type: 'stream_event'
  event: {
    type: string
    index?: number
    delta?: { type?: string; text?: string; thinking?: string; partial_json?: string; [key: string]: unknown }
    content_block?: SDKContentBlock
    [key: string]: unknown
  }
  parent_tool_use_id: string | null
}

interface SDKOtherMessage extends FromSession {
  type:
    | 'auth_status'
    | 'command_lifecycle'
    | 'conversation_reset'
    | 'prompt_suggestion'
    | 'rate_limit_event'
    | 'tool_progress'
    | 'tool_use_summary'
}

/** Any message of the CLI, as it sent it. Distinguish them by `type`, then `subtype`; unknown ones do arrive. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessageEcho
  | SDKResultMessage
  | SDKSystemMessage
  | SDKSystemEvent
  | SDKPartialAssistantMessage
  | SDKOtherMessage
