/** The whole public surface of the package. What is exported here is API. */
export { ClaudeCodeAgent } from './agent/agent.ts'
export { ClaudeCodeClient, type ConnectOptions } from './agent/client.ts'
export {
  AbortError,
  CLIConnectionError,
  CLIExitError,
  CLINotFoundError,
  CLIVersionError,
  ClaudeCodeAgentError,
  ControlProtocolError,
  type ErrorCode,
  InvalidOptionsError,
  isClaudeCodeAgentError,
  McpServerInUseError,
  ResultError,
  SessionNotFoundError,
  SessionStateError,
  TimeoutError,
  ToolDefinitionError,
  ToolExecutionError,
  WorkingDirectoryError,
} from './errors.ts'
export {
  type AsyncHookOutput,
  type HookCallback,
  type HookConfigurations,
  type HookContext,
  type HookEvent,
  type HookInput,
  type HookMatcher,
  type HookMatcher as HookCallbackMatcher,
  type HookOutput,
  type HookOutput as HookJSONOutput,
  hookEvents,
  matchesHook,
  type OtherHookOutput,
  type PreToolUseOutput,
  type SyncHookOutput,
} from './hooks.ts'
export {
  type ClaudeCodeInstallation,
  endLeftovers,
  type FindClaudeCodeOptions,
  findClaudeCode,
} from './installation.ts'
export { undocumentedVariables } from './launch/undocumented-variables.ts'
export type {
  AgentDefinition,
  AgentOptions,
  EffortLevel,
  ElicitationCallback,
  ElicitationRequest,
  ElicitationResult,
  LaunchSpec,
  PluginConfig,
  Prompt,
  SessionOptions,
  SettingSource,
  StartSessionOptions,
  SystemPrompt,
  ThinkingOptions,
  TransportFactory,
} from './options.ts'
export {
  type CanUseToolCallback,
  type CanUseToolCallback as CanUseTool,
  forThisSession,
  type PermissionBehavior,
  type PermissionContext,
  type PermissionMode,
  type PermissionResult,
  type PermissionRuleValue,
  type PermissionSuggestion,
  type PermissionUpdate,
  type PermissionUpdateDestination,
} from './permissions.ts'
export type { CliMessage } from './protocol/control-channel.ts'
export type { SDKUserMessage } from './query/prompt-input.ts'
export { type Query, type QueryParameters, query } from './query/query.ts'
export type { QueryOptions, QueryOptions as Options } from './query/query-options.ts'
export type {
  SDKAssistantMessage,
  SDKContentBlock,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKPermissionDenial,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKSystemMessage,
} from './query/sdk-messages.ts'
export type { RecoverableSession } from './recovery/recover.ts'
export { FileStateStore, type StateStore, type StoredSession } from './recovery/state-store.ts'
export type { McpReadiness } from './session/mcp-readiness.ts'
export type {
  AssistantMessage,
  ContentBlock,
  OtherMessage,
  ResultMessage,
  SessionMessage,
  StreamEventMessage,
  SystemMessage,
  ToolResultMessage,
  ToolUseMessage,
  TurnOutcome,
  TurnStats,
} from './session/messages.ts'
export type { MessagePriority, MessageState, QueuedMessage, SendOptions } from './session/outbox.ts'
export type {
  InterruptOptions,
  InterruptReceipt,
  McpServerStatus,
  Session,
  SetMcpServersResult,
} from './session/session.ts'
export type {
  MessageStateChange,
  SessionEvents,
  SessionResult,
  SessionStateInfo,
  StateChange,
  ToolCallEvent,
  ToolResultEvent,
  TurnEnd,
  TurnStart,
} from './session/session-events.ts'
export type {
  PendingPermission,
  PendingToolCall,
  SessionState,
  TerminalState,
} from './session/state-machine.ts'
export type {
  ArgsOf,
  JsonSchema,
  SchemaShape,
  SimpleSchema,
  SimpleType,
  StandardSchema,
  ToolInputSchema,
} from './tools/args-of.ts'
export type {
  AudioBlock,
  BinaryData,
  EmbeddedResource,
  ImageBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
  ToolContentBlock,
} from './tools/content-block.ts'
export type { McpServerInstance, McpServerSource } from './tools/foreign-server.ts'
export type { PromptArgument, PromptContext, PromptMessage, PromptReturn, SdkPrompt } from './tools/prompt.ts'
export type {
  FixedResource,
  ResourceContents,
  ResourceContext,
  ResourceReturn,
  ResourceTemplate,
  SdkResource,
} from './tools/resource.ts'
export type {
  AnySdkTool,
  SdkTool,
  ToolAnnotations,
  ToolContext,
  ToolDefinition,
  ToolExtras,
  ToolHandler,
  ToolReturn,
} from './tools/sdk-tool.ts'
export type {
  McpConnectableServerConfig,
  McpHttpServerConfig,
  McpInstanceServerConfig,
  McpSdkServerConfig,
  McpServerConfig,
  McpStdioServerConfig,
  McpToolsServerConfig,
} from './tools/server-config.ts'
export type {
  JsonRpcMessage,
  ServerConnection,
  ServerLink,
  ServerManifest,
} from './tools/server-connection.ts'
export { tool } from './tools/tool.ts'
export type { ToolErrorListener } from './tools/tool-call.ts'
export type { ToolResult } from './tools/tool-result.ts'
export {
  createSdkMcpServer,
  type SdkMcpServer,
  type SdkMcpServerOptions,
} from './tools/tool-server.ts'
export type { SessionMutationOptions } from './transcripts/edit-session.ts'
export type { ForkSessionOptions, ForkSessionResult } from './transcripts/fork-session.ts'
export type { ListSessionsOptions } from './transcripts/list-sessions.ts'
export {
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  listSessions,
  readSessionInfo,
  readSessionPage,
  readSessionText,
  renameSession,
  sessionFiles,
  tagSession,
} from './transcripts/on-disk.ts'
export type { GetSessionInfoOptions, SDKSessionInfo, SessionFileInfo } from './transcripts/session-info.ts'
export type { GetSessionMessagesOptions, TranscriptMessage } from './transcripts/session-messages.ts'
export type { ReadSessionPageOptions, SessionPage, SessionPageMessage } from './transcripts/session-page.ts'
export type { ReadSessionTextOptions, SessionText, SessionTextReader } from './transcripts/session-text.ts'
export type { SessionTranscriptFile, TranscriptScope } from './transcripts/transcript-location.ts'
export { minimumCliVersion } from './transport/minimum-version.ts'
export {
  type SpawnedProcess,
  type SpawnProcess,
  type SpawnRequest,
  type SubprocessOptions,
  SubprocessTransport,
} from './transport/subprocess.ts'
export type {
  TerminateOptions,
  Transport,
  TransportExit,
  TransportFault,
  TransportReceiver,
} from './transport/transport.ts'
export type { CliCommand, WrapCommand } from './transport/wrap-command.ts'
export { version } from './version.ts'
