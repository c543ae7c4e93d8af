/** Everything that can be set for an agent and a session. What the CLI itself defines keeps the CLI's names. */
import type { HookConfigurations } from './hooks.ts'
import type { CanUseToolCallback, PermissionMode } from './permissions.ts'
import type { StateStore } from './recovery/state-store.ts'
import type { McpServerConfig } from './tools/server-config.ts'
import type { Transport } from './transport/transport.ts'
import type { WrapCommand } from './transport/wrap-command.ts'

export type SettingSource = 'user' | 'project' | 'local'

export type EffortLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export type SystemPrompt =
  | string
  | string[]
  | { type: 'custom'; prompt: string | string[]; snapshot?: boolean }
  | {
      type?: 'preset'
      preset: 'claude_code'
      append?: string
      /** Moves what depends on the person and the directory into the first message, so that the prompt can be cached. */
      excludeDynamicSections?: boolean
      /** False renders the prompt anew for each request; otherwise it is recorded once and kept when resumed. */
      snapshot?: boolean
    }

export type ThinkingOptions =
  | { type: 'adaptive'; display?: 'summarized' | 'omitted' }
  | { type: 'enabled'; budgetTokens?: number; display?: 'summarized' | 'omitted' }
  | { type: 'disabled' }

/** A subagent that the agent may hand work to. */
export interface AgentDefinition {
  description: string
  prompt: string
  tools?: string[]
  disallowedTools?: string[]
  model?: string
  [key: string]: unknown
}

export interface PluginConfig {
  type: 'local'
  path: string
  /** Leaves the plugin's own MCP servers alone. */
  skipMcpDiscovery?: boolean
}

/** A question of an external MCP server to the person. */
export interface ElicitationRequest {
  serverName: string
  message: string
  mode?: string
  requestedSchema?: Record<string, unknown>
  url?: string
  raw: Record<string, unknown>
}

export interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

export type ElicitationCallback = (
  request: ElicitationRequest,
  context: { signal: AbortSignal },
) => Promise<ElicitationResult> | ElicitationResult

/** What makes a transport for a session, in place of a subprocess on this machine. */
export type TransportFactory = (launch: LaunchSpec) => Transport

/** How the CLI is to be started. */
export interface LaunchSpec {
  args: string[]
  env: Record<string, string>
  cwd: string | undefined
}

/** Options that shape what the agent is and may do; they hold for one session or, on an agent, for all of its sessions. */
export interface SessionOptions {
  /** The agent's working directory. Default: the program's. */
  cwd?: string
  /** Further directories that it may use. */
  additionalDirectories?: string[]
  /** The trusted checkout that `cwd` is a worktree of: project settings, `.mcp.json` and `.claude` are read from here instead. */
  projectConfigRoot?: string

  /** MCP servers by name: in-process ones made with `createSdkMcpServer()`, or configurations of external ones. */
  mcpServers?: Record<string, McpServerConfig>
  /** Ignores every MCP configuration on disk. */
  strictMcpConfig?: boolean
  /** Tools that run without asking, such as `mcp__calc__add`, `Read`, `Bash(git log:*)`. Not a list of what exists: see `tools`. */
  allowedTools?: string[]
  /** Tools that the agent does not get. */
  disallowedTools?: string[]
  /** Which built-in tools exist: names, `[]` for none, or the default set. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' }
  /** Redirects one tool name to another. */
  toolAliases?: Record<string, string>
  toolConfig?: { askUserQuestion?: { previewFormat?: 'markdown' | 'html' } }

  /** A whole system prompt of your own, or Claude Code's with something appended. Default here: Claude Code's. */
  systemPrompt?: SystemPrompt
  agent?: string
  agents?: Record<string, AgentDefinition>
  skills?: string[] | 'all'
  plugins?: PluginConfig[]
  /** How `plugins` reach the CLI: on its command line (the default), or over its input, for very many of them. */
  pluginDelivery?: 'argv' | 'initialize'
  planModeInstructions?: string

  permissionMode?: PermissionMode
  /** Lets the session switch to `bypassPermissions` later. Implied by `permissionMode: 'bypassPermissions'`. */
  allowDangerouslySkipPermissions?: boolean
  /** Asked before a tool runs that no rule allows. Without it, such tools are denied. */
  canUseTool?: CanUseToolCallback
  /** Denies when `canUseTool` has not answered by then. Default: no limit. */
  canUseToolTimeoutMs?: number
  /** An MCP tool that answers permission questions instead of `canUseTool`. */
  permissionPromptToolName?: string
  /** `none`: nobody answers. What would ask is denied at once, and the model learns that there is nobody to ask. */
  permissionPrompts?: 'host' | 'none'
  hooks?: HookConfigurations
  /** Answers questions of external MCP servers. Without it they are declined. */
  onElicitation?: ElicitationCallback

  model?: string
  /** One model or several, separated by commas. */
  fallbackModel?: string
  thinking?: ThinkingOptions
  effort?: EffortLevel
  /** Superseded by `thinking`. */
  maxThinkingTokens?: number
  betas?: string[]
  maxTurns?: number
  maxBudgetUsd?: number
  /** A limit in tokens that is sent to the API. */
  taskBudget?: { total: number }
  /** The final answer as JSON of this schema, in `structuredOutput` of the result. */
  outputFormat?: { type: 'json_schema'; schema: Record<string, unknown> }

  /** Which settings files the CLI reads. `[]` reads none. Default: the CLI's own (all of them). */
  settingSources?: SettingSource[]
  /** Settings laid over those: an object, its JSON, or the path of a file. The CLI gets them in a private file. */
  settings?: Record<string, unknown> | string
  managedSettings?: Record<string, unknown>
  sandbox?: Record<string, unknown> & { enabled?: boolean }

  /** Emits `stream_event` messages while the model speaks. */
  includePartialMessages?: boolean
  includeHookEvents?: boolean
  forwardSubagentText?: boolean
  promptSuggestions?: boolean
  agentProgressSummaries?: boolean
  /** Says that tasks in the background can be stopped one by one (`stopTask()`): an interrupt then spares them. */
  perTaskStopAffordance?: boolean
  /** Makes `rewindFiles()` work. */
  enableFileCheckpointing?: boolean
  /** False writes no transcript; the session cannot be resumed. */
  persistSession?: boolean
  title?: string

  /** Variables for the CLI, laid over the program's own environment; `undefined` removes one. */
  env?: Record<string, string | undefined>
  /** The CLI to run. Default: `CLAUDE_CODE_PATH`, then `claude` on the PATH, then the one that npm installed. */
  cliPath?: string
  /** What runs `cliPath` when it is a script. Default: this Node. */
  executable?: string
  /** Further command-line flags: `{flag: 'value'}`, or null for a flag without a value. */
  extraArgs?: Record<string, string | null>
  debug?: boolean
  debugFile?: string
  /** False spares each tool call the round trip that a pause needs, and lets tools run after `detach()`. Default true. */
  pausable?: boolean
  /** False lets the CLI outlive this program: for `detach()`. Default true, where the system has `setpriv`. */
  endWithParent?: boolean
  /**
   * Puts another program before the CLI: one that contains it. What that program shows it of this machine must include `files`
   * (if there is one), the working directory, and a place for its own configuration.
   */
  wrapCommand?: WrapCommand
  /** What the CLI writes to stderr, line by line. */
  stderr?: (line: string) => void
  /** The longest line accepted from the CLI. Default 64 MiB. */
  maxLineBytes?: number
  /** How long a control request may take. Default 60 s. */
  controlTimeoutMs?: number
  /** How far an iterator of `messages()`, or a raw listener, may fall behind before reading stops. Default 1,000 messages. */
  highWaterMark?: number
  /** Runs the CLI elsewhere. */
  transport?: TransportFactory
  /** Warnings about the configuration. Default: `process.emitWarning`. */
  onWarning?: (warning: string) => void
}

export interface AgentOptions extends SessionOptions {
  /** How many sessions run at once; further ones wait their turn in order. Default: no limit. */
  maxConcurrentSessions?: number
  /** Where the state of each session is kept, for `recover()` after the program was killed. */
  stateStore?: StateStore
}

/** A message to the agent: text, or blocks of the Messages API (text, images, documents). */
export type Prompt = string | Record<string, unknown>[]

export interface StartSessionOptions {
  /** Without a prompt the session waits for `send()`; that needs `keepAlive`. */
  prompt?: Prompt
  /** The working directory of this session. */
  projectPath?: string
  /** The session to go on with. */
  resume?: string
  /** With `resume`: continues as a new session, and leaves the old one as it is. */
  fork?: boolean
  /** With `resume`: only up to and including this message. */
  resumeAt?: string
  /** Continues the newest session of the directory. */
  continueLatest?: boolean
  /** The id of the new session. Default: a new one. */
  sessionId?: string
  /** Keeps the process between turns, for `send()`. Without it the session ends when the agent is done. */
  keepAlive?: boolean
  /** Waits for MCP servers to be ready before the prompt is sent: true, or with a limit. */
  waitForMcp?: boolean | { timeoutMs?: number }
  /** Ends the session when aborted, as `cancel()` does. */
  signal?: AbortSignal
  /** Options for this session alone, laid over the agent's. */
  options?: SessionOptions
}
