/**
 * The agent port: opens and resumes sessions of the Claude Code CLI. Its adapter is the only code of the server that knows
 * the SDK; a keeper process that outlives the server can stand behind it later.
 */
import type { Effort, MessageContent, PermissionMode } from '@dorkos/shared'

/** A message of the CLI, as it came over the wire. */
export type CliMessage = { type: string; subtype?: string } & Record<string, unknown>

/** Everything that decides how a CLI process is started for a session. */
export interface AgentSpec {
  /** The session's id: of the new CLI session, or ours while the CLI uses another. */
  sessionId: string
  cwd: string
  /**
   * `new` begins a CLI session; `resume` goes on with one, from a message of it on where that is given; `fork` begins one as the one
   * `from`, up to a message.
   */
  start:
    | { kind: 'new'; cliSessionId: string }
    | { kind: 'resume'; cliSessionId: string; messageId?: string }
    | { kind: 'fork'; cliSessionId: string; from: string; messageId?: string }
  model: string | undefined
  /** undefined: the model's own. */
  effort: Effort | undefined
  /** Takes over where the model cannot answer. */
  fallbackModel?: string | undefined
  permissionMode: PermissionMode
  maxTurns: number | undefined
  outputSchema: Record<string, unknown> | undefined
  title: string | undefined
  settingSources: ('user' | 'project' | 'local')[]
  /** In place of Claude Code's own system prompt. */
  systemPrompt?: string | undefined
  /** Appended to it. */
  systemPromptAppend: string
  /** The complete environment of the CLI. */
  env: Record<string, string>
  /** Settings laid over the others: deny rules, sandbox. */
  settings: Record<string, unknown>
  /** What `onHook` is to be called for. */
  hooks: readonly AgentHook[]
  /** Exactly these built-in tools. Absent: the CLI's own choice. */
  tools?: string[] | undefined
  /** Agents that it can hand work to, by name. */
  agents?: Record<string, AgentOfAgent> | undefined
  /** Skills that it may use without being told to. */
  skills?: string[] | undefined
  /** Built-in tools that the agent does not get. */
  disallowedTools: string[]
  /** In-process MCP servers by name, as the SDK makes them. */
  mcpServers: Record<string, unknown>
  /** Where the CLI runs in a container. */
  container?: ContainerSpec | undefined
  /** Whom the CLI is to be, where that is not the server's own user. */
  runAs?: SystemUser | undefined
  /** It is started before anybody needs it, and its session begins with `LiveAgent.begin()`. Of a new session only. */
  isSpare?: boolean
}

/** An agent that the session's own can hand work to, as the CLI takes it. */
export interface AgentOfAgent {
  description: string
  prompt: string
  model?: string | undefined
  effort?: Effort | undefined
  tools?: string[] | undefined
  disallowedTools: string[]
  skills?: string[] | undefined
  maxTurns?: number | undefined
  background?: boolean | undefined
}

/** An event that the CLI is to report, for what its matcher says only. The same event can be named more than once. */
export interface AgentHook {
  id: string
  event: string
  matcher: string
}

/** What no agent may write. Absolute. */
export interface ClosedPaths {
  files: string[]
  folders: string[]
}

/** A user of this machine, and the group of what it makes. */
export interface SystemUser {
  uid: number
  gid: number
}

/** What a CLI in a container sees of this machine, besides the system's programs. The paths are the same inside. */
export interface ContainerSpec {
  workspacePath: string
  /** Files and folders in it that nobody in the container may write, besides those that programs outside obey. */
  closed: readonly string[]
  /** The CLI's own folder, for this workspace alone. */
  configDir: string
  /** Where the CLI writes what commands print: inside, its own folder for temporary files. For this session alone, and goes with its process. */
  outputs: string
  /** The socket of the session's own at the model gateway, and the port of loopback where the CLI finds it. */
  gateway: { socket: string; port: number }
  /** Whom everything in it is, where that is not the server's own user. */
  runAs?: SystemUser | undefined
}

/** A tool call that the CLI asks about. */
export interface PermissionQuestion {
  toolCallId: string
  tool: string
  input: Record<string, unknown>
  /** Why it asks, where it says. */
  reason: string | undefined
  /** The subagent's id, if one asks. */
  agentId: string | undefined
  /** The rule of its own that the CLI proposes for commands like this one, such as `npm test *`. */
  commandRule: string | undefined
  /** Aborted when the CLI no longer waits. */
  signal: AbortSignal
}

export type PermissionAnswer =
  | { behavior: 'allow'; updatedInput: Record<string, unknown>; permissionMode?: PermissionMode }
  | { behavior: 'deny'; message: string; interrupt?: boolean }

/** A tool call before anything is decided about it, in every permission mode. */
export interface ToolCallSeen {
  toolCallId: string
  tool: string
  input: Record<string, unknown>
  permissionMode: string
  agentId: string | undefined
  /** All that the CLI says about it, as a hook of the settings would get it. */
  hookInput: Readonly<Record<string, unknown>>
  signal: AbortSignal
}

/** A tool call that ran, well or not, and what with. */
export type ToolCallRan = Pick<ToolCallSeen, 'toolCallId' | 'tool' | 'input'>

/**
 * `pass` leaves it to the CLI, to its mode and to these rules for commands, which are all that it has from us; `ask` brings it to
 * `onPermission` whatever the mode; `allow` runs it unless a deny rule of the CLI's settings is against it. `context` is for the model.
 */
export type ToolCallVerdict = (
  | { verdict: 'pass'; commandRules: readonly string[] }
  | { verdict: 'allow'; reason: string }
  | { verdict: 'ask'; reason?: string }
  | { verdict: 'deny'; message: string }
) & { context?: string }

export interface ElicitationQuestion {
  server: string
  message: string
  schema: Record<string, unknown> | undefined
  url: string | undefined
  signal: AbortSignal
}

export type ElicitationAnswer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> }

/** `ignored`: the CLI has seen a message with this id before. */
export type MessageState = 'queued' | 'started' | 'completed' | 'cancelled' | 'ignored'

/** What a live agent reports and asks. Calls come in the order of the CLI's messages; handlers must not throw. */
export interface AgentHandlers {
  /** While the promise is open, the adapter soon stops reading from the CLI: so a slow log slows the agent, not the memory. */
  onMessage(message: CliMessage): Promise<void>
  /** The CLI began to work: on these messages, or on something of its own when there are none. */
  onTurnStart(turn: { messageIds: string[] }): void
  /** A message that was sent is now in this state. `started` inside a running turn means that the turn took it in. */
  onMessageState(messageId: string, state: MessageState): void
  /** The turn is over and the agent idle (or at background work). */
  onTurnEnd(turn: AgentTurnEnd): void
  onToolCall(call: ToolCallSeen): Promise<ToolCallVerdict>
  /** The CLI is about to put this to the model: a message, news of a task, or what something else wants. Answers with why it must not. */
  onPrompt(prompt: string): string | undefined
  /** A person's message was a command, which the CLI replaces by the text of a skill. */
  onSkill(hookInput: Readonly<Record<string, unknown>>): void
  /** An event of `AgentSpec.hooks`; the answer is the CLI's form of a hook's output. */
  onHook(
    id: string,
    hookInput: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>
  /**
   * A settings file has changed while the CLI runs. Until this resolves, nothing of it counts; then only what a policy of the machine says.
   */
  onSettingsChanged(): Promise<void>
  /** A tool ran. Until this resolves, the agent does not go on. */
  onToolRan(call: ToolCallRan): Promise<void>
  /** There is a result; `isError` when the tool failed, or did not run. */
  onToolFinished(call: { toolCallId: string; tool: string; isError: boolean }): void
  onPermission(question: PermissionQuestion): Promise<PermissionAnswer>
  onElicitation(question: ElicitationQuestion): Promise<ElicitationAnswer>
  onStateChange(state: 'working' | 'waiting' | 'idle' | 'paused'): void
  /** The process ended, wanted or not. Nothing comes after it. */
  onExit(exit: { wanted: boolean; error: string | undefined }): void
}

export interface AgentTurnEnd {
  messageIds: string[]
  outcome: 'completed' | 'interrupted' | 'failed' | 'max_turns' | 'budget' | 'structured_output_failed'
  reason: string | undefined
  /** The CLI's `result` message. */
  result: CliMessage
}

/** What a process says of itself, as it came. */
export interface LoadedByCli {
  /** Its hooks as its own `/hooks` menu shows them, but for those that the server itself set. */
  hooks: Readonly<Record<string, unknown>>
  /** What is in force, and what each source says. After a change, what the files say by now. */
  settings: Readonly<Record<string, unknown>>
}

/** A part of what a command has printed. Offsets are in bytes; the text begins and ends with whole characters. */
export interface OutputPage {
  text: string
  /** Where the text begins. */
  offset: number
  nextOffset: number
  /** Of all that there is now. */
  bytes: number
}

export interface LiveAgent {
  readonly pid: number | undefined
  /** The id that the CLI uses now. */
  readonly cliSessionId: string
  /**
   * A spare process begins its session, once and before the first message: it reads its directory as it is now. Rejects when it
   * cannot; it is of no use then.
   */
  begin(): Promise<void>
  /** `steer` puts the message into the running turn as soon as the CLI can. Resolves when the CLI has it. */
  send(message: { id: string; content: MessageContent }, delivery: 'queue' | 'steer'): Promise<void>
  /** Takes back a message that was sent but not started. */
  withdraw(messageId: string): Promise<boolean>
  /**
   * Stops the turn. Messages that were sent and not started begin the next one, and are named in the answer; unless they are
   * cancelled: then `onMessageState` says so for each.
   */
  interrupt(options: { cancelUnread: boolean }): Promise<{ unread: string[] }>
  /** Ends one command or subagent, also one that the turn waits for; what else runs goes on. Its end is reported as any other. */
  stopTask(taskId: string): Promise<void>
  /**
   * What a command has printed: from `offset` on, or the last of it. Undefined where nothing of it can be read (any more). A command
   * that the agent waited for has nothing left once it ended: its result has it.
   */
  taskOutput(
    taskId: string,
    page: { offset?: number | undefined; limit: number },
  ): Promise<OutputPage | undefined>
  pause(): Promise<void>
  resume(): Promise<void>
  setModel(model: string | undefined): Promise<void>
  /** undefined: the model's own. Counts from the next request to the model. */
  setEffort(effort: Effort | undefined): Promise<void>
  setPermissionMode(mode: PermissionMode): Promise<void>
  setMcpServers(servers: Record<string, unknown>): Promise<void>
  rename(title: string): Promise<void>
  rewindFiles(messageId: string, dryRun: boolean): Promise<Record<string, unknown>>
  contextUsage(): Promise<Record<string, unknown>>
  /** What the process has used so far, in the CLI's own figures, also in the middle of a turn. */
  usage(): Promise<Record<string, unknown>>
  capabilities(): Promise<{
    commands: unknown[]
    models: unknown[]
    agents: unknown[]
    mcpServers: unknown[]
  }>
  loaded(): Promise<LoadedByCli>
  mcpStatus(): Promise<{ name: string; status: string; error?: string; tools?: unknown[] }[]>
  /** Ends the process in good order; bounded in time, and it is gone when this resolves. */
  close(): Promise<void>
}

export interface Agent {
  /** Starts the process and resolves when it takes messages. Rejects, with a sentence for people, when it cannot. */
  open(spec: AgentSpec, handlers: AgentHandlers): Promise<LiveAgent>
  /** Whether a CLI that is not ours works on this session's transcript. */
  inUseElsewhere(cliSessionId: string): Promise<boolean>
  /** Message ids that the transcript holds, out of these: what the CLI certainly received before a crash. */
  recorded(cliSessionId: string, messageIds: string[]): Promise<Set<string>>
  /** Whether the CLI has a transcript under this id, to resume from. */
  hasTranscript(cliSessionId: string): Promise<boolean>
  /** Whether the CLI cannot begin a session under this id. */
  isTaken(cliSessionId: string): Promise<boolean>
  /** Ends what an earlier run of this server left behind. */
  sweep(): Promise<number>
  close(): Promise<void>
}
