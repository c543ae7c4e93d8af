/** The whole contract. Runs in browsers and Node alike. What is exported here is API. */
export {
  type ApiClient,
  type ApiClientOptions,
  type CallOptions,
  createApiClient,
  type FollowAllOptions,
  type FollowSessionOptions,
} from './api-client.ts'
export { ApiError, NetworkError } from './api-client-error.ts'
export {
  type AllowScope,
  type Approval,
  type ApprovalAnswer,
  type ApprovalKind,
  type ApprovalState,
  type AuditEntry,
  approvalAnswerSchema,
  approvalKinds,
  approvalSchema,
  approvalStates,
  auditEntrySchema,
  type Covers,
  type Decider,
  deciderKinds,
  newRuleSchema,
  type ProposedRule,
  type Risk,
  type Rule,
  type RuleScope,
  ruleSchema,
} from './approval.ts'
export {
  type ChangedFile,
  type ChangeSpan,
  changeAuthors,
  type FileComparison,
  fileChangeKinds,
  fileHashSchema,
  type GitState,
  type Hunk,
  type RestoredFiles,
  type SessionChanges,
} from './change.ts'
export {
  type CodeAnswer,
  type CodeRequest,
  codeAnswerSchema,
  codeRequestSchema,
  codeSocketName,
} from './code-socket.ts'
export {
  type Config,
  type ConfigKey,
  type ConfigKeyInfo,
  configKeyInfo,
  configSchema,
  listConfigKeys,
} from './config.ts'
export { type ConfigView, configViewSchema } from './config-view.ts'
export {
  type Budget,
  type CostTotal,
  costGroups,
  costReportSchema,
  type LedgerEntry,
  type RateLimit,
  type SessionCost,
  type TokenCounts,
  tokenCountsSchema,
} from './cost.ts'
export { type Draft, draftSchema, maxDraftText } from './draft.ts'
export {
  type Endpoint,
  type EndpointBody,
  type EndpointName,
  type EndpointParams,
  type EndpointQuery,
  type EndpointResponse,
  endpoints,
  type ParsedBody,
  type ParsedParams,
  type ParsedQuery,
  publicPaths,
} from './endpoints.ts'
export {
  type EventOf,
  type HistoryPage,
  historyPageSchema,
  type NewEvent,
  type ServerEvent,
  type ServerSnapshot,
  type SessionSnapshot,
  type StreamEvent,
  type StreamEventType,
  type StreamFrame,
  serverEventSchema,
  serverSnapshotSchema,
  sessionSnapshotSchema,
  streamEventSchema,
  streamEventTypes,
  todoSchema,
} from './event.ts'
export {
  type AcceptedFrame,
  decodeFrame,
  encodeFrame,
  encodeRecord,
  heartbeatMs,
  type MessageFrame,
} from './event-stream.ts'
export type { SessionFile, SessionFolder } from './file-endpoints.ts'
export type { ConnectionState, FollowOptions } from './follow.ts'
export { type FormFault, faultText, formFault, valueFault } from './form/faults.ts'
export { type FormField, formField, formFields, isWholeForm } from './form/fields.ts'
export {
  type JsonSchema,
  numberOf,
  propertiesOf,
  requiredOf,
  resolveSchema,
  textOf,
  typesOf,
} from './form/json-schema.ts'
export {
  draftFrom,
  type FormDraft,
  fieldDraft,
  initialDraft,
  isFormDraft,
  readField,
  readForm,
} from './form/values.ts'
export {
  type FuzzyQuery,
  type FuzzyText,
  fuzzyFits,
  fuzzyQuery,
  fuzzyScore,
  fuzzyText,
  roughFuzzyScore,
} from './fuzzy.ts'
export {
  type Hook,
  type HookConsent,
  type HookFault,
  type HookGrant,
  type HookSource,
  type HookState,
  type HooksOff,
  type Plugin,
  type PluginPart,
  type WorkspaceHooks,
  workspaceHooksSchema,
} from './hook.ts'
export {
  compareEventPositions,
  type EventPosition,
  eventIdSchema,
  formatEventId,
  logStart,
  parseEventId,
  positionOf,
  recordIdSchema,
  sessionIdSchema,
  timeSchema,
  uuidSchema,
} from './ids.ts'
export { isRecord } from './is-record.ts'
export {
  type McpCall,
  type McpList,
  type McpScope,
  type McpServer,
  type McpServerDetails,
  type McpSignInStep,
  mcpSignInPath,
} from './mcp.ts'
export { type McpEntryInput, type McpSharing, mcpEntrySchema, mcpUrlFault } from './mcp-entry.ts'
export { foldServerName, isInjectedName, serverNameFault } from './mcp-server-name.ts'
export { type OpenApiDocument, type OpenApiOperation, openApiDocument } from './openapi.ts'
export { pictureTypes, type ToolOutput } from './output-endpoints.ts'
export { type PagePath, pagePaths } from './page-paths.ts'
export { type Problem, type ProblemCode, problemCodes, problemSchema, problems } from './problem.ts'
export {
  newProfileText,
  type Profile,
  type ProfileAgent,
  type ProfileDetails,
  type ProfileEntry,
  type ProfileFault,
  type ProfileRule,
  profileAgentSchema,
  profileNameSchema,
  profileSchema,
} from './profile.ts'
export { type FrozenProfile, type ProfileOrigin, profileOrigins } from './profile-reference.ts'
export {
  type AcceptedMessage,
  acceptedMessageSchema,
  contentBlockSchema,
  type Effort,
  effortLevels,
  effortSchema,
  isQueueHeld,
  type McpServerHealth,
  type MessageContent,
  mcpServerHealthSchema,
  messageContentSchema,
  type PermissionMode,
  permissionModeSchema,
  permissionModes,
  readMcpStatus,
  type Session,
  type SessionActivity,
  sessionActivities,
  sessionSchema,
  type Turn,
  type TurnCause,
  type TurnOutcome,
  type TurnReasonCode,
  type TurnState,
  turnCauses,
  turnOutcomes,
  turnReasonCodes,
  turnSchema,
} from './session.ts'
export { maxSessionsPerStream } from './session-endpoints.ts'
export { dismissedForm, standardDenials } from './standard-denials.ts'
export {
  type Banner,
  bannerSchema,
  healthSchema,
  type ModelStatus,
  modelStatusSchema,
  type Status,
  statusSchema,
} from './status.ts'
export { StreamCursor } from './stream-cursor.ts'
export { type Task, taskSchema } from './task.ts'
export type { TaskOutput } from './task-endpoints.ts'
export { type Pairing, type Scope, scopeSchema, scopes, type Token, tokenSchema } from './token.ts'
export {
  giveTrustSchema,
  type TrustChange,
  type TrustFault,
  type TrustItem,
  type TrustKind,
  type TrustState,
  trustStates,
  type WorkspaceTrust,
  workspaceTrustSchema,
} from './trust.ts'
export { render } from './words/render.ts'
export { type Said, saidSchema } from './words/said.ts'
export { Saying, say, sayAgain, toSaid } from './words/saying.ts'
export { type Reason, type ServerWords, words } from './words/words.ts'
export {
  newWorkspaceSchema,
  type Workspace,
  type WorkspaceCommands,
  workspaceChangeSchema,
  workspaceCommandsSchema,
  workspaceSchema,
} from './workspace.ts'
