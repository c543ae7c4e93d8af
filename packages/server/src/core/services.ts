/**
 * What the HTTP layer may ask of the core: one interface per resource. Every method takes who acts first, which is checked below; but
 * not those before and around signing in, `hub.subscribe`, whose sessions were checked, and `status.health`, which is about nobody.
 * All throw `AppError` and nothing else on purpose, and return the shapes of the contract.
 */
import type {
  AcceptedMessage,
  Approval,
  ApprovalAnswer,
  AuditEntry,
  Budget,
  ConfigView,
  Draft,
  EndpointBody,
  EndpointResponse,
  FileComparison,
  GitState,
  HistoryPage,
  LedgerEntry,
  McpCall,
  McpList,
  McpServer,
  McpServerDetails,
  McpSignInStep,
  Pairing,
  ParsedBody,
  ParsedQuery,
  ProfileDetails,
  ProfileEntry,
  RestoredFiles,
  Rule,
  Scope,
  ServerEvent,
  ServerSnapshot,
  Session,
  SessionChanges,
  SessionFile,
  SessionFolder,
  SessionSnapshot,
  Status,
  StreamEvent,
  Task,
  TaskOutput,
  Token,
  ToolOutput,
  Turn,
  Workspace,
  WorkspaceCommands,
  WorkspaceHooks,
  WorkspaceTrust,
} from '@dorkos/shared'
import type { Actor } from './actor.ts'
import type { BusSubscription } from './ports/event-bus.ts'
import type { ToolConfig, ToolCosts, ToolSessions } from './tools/mcp-tool-deps.ts'

/** A file that is given out in pieces. */
export interface ServedFile {
  fileName: string
  mediaType: string
  /** Where it is known. */
  bytes?: number
  chunks: AsyncIterable<string | Uint8Array>
}

export interface SessionService {
  list(actor: Actor, query: ParsedQuery<'listSessions'>): Promise<{ sessions: Session[]; cursor?: string }>
  get(actor: Actor, id: string): Promise<Session>
  create(
    actor: Actor,
    body: ParsedBody<'createSession'>,
    idempotencyKey?: string,
  ): Promise<{ session: Session; message?: AcceptedMessage }>
  change(actor: Actor, id: string, body: ParsedBody<'changeSession'>): Promise<Session>
  remove(actor: Actor, id: string): Promise<void>
  send(
    actor: Actor,
    id: string,
    body: ParsedBody<'sendMessage'>,
    idempotencyKey?: string,
  ): Promise<AcceptedMessage>
  turns(actor: Actor, id: string, query: ParsedQuery<'listTurns'>): Promise<Turn[]>
  editMessage(
    actor: Actor,
    id: string,
    messageId: string,
    content: ParsedBody<'editMessage'>['content'],
  ): Promise<Turn>
  withdrawMessage(actor: Actor, id: string, messageId: string): Promise<Turn>
  /** Before another that waits; undefined: at the end. */
  moveMessage(actor: Actor, id: string, messageId: string, before: string | undefined): Promise<Turn>
  steerMessage(actor: Actor, id: string, messageId: string): Promise<Turn>
  /** In the place of the last message: a turn that runs is stopped, and the conversation goes on from right before it. */
  resendMessage(
    actor: Actor,
    id: string,
    messageId: string,
    content: ParsedBody<'resendMessage'>['content'],
  ): Promise<AcceptedMessage>
  settleMessage(actor: Actor, id: string, messageId: string, action: 'run' | 'drop'): Promise<Turn>
  releaseQueue(actor: Actor, id: string): Promise<Session>
  confirmFolder(actor: Actor, id: string): Promise<Session>
  /** Somebody may begin such a session soon: a process may be started for it. Nothing is promised. */
  prepareNew(actor: Actor, body: ParsedBody<'prepareNewSession'>): Promise<void>
  /** Somebody has the session open and may say something soon. Nothing is promised. */
  prepare(actor: Actor, id: string): Promise<void>
  start(actor: Actor, id: string): Promise<Session>
  stop(actor: Actor, id: string): Promise<Session>
  interrupt(actor: Actor, id: string, queue: ParsedBody<'interruptSession'>): Promise<Session>
  pause(actor: Actor, id: string): Promise<Session>
  resume(actor: Actor, id: string): Promise<Session>
  fork(actor: Actor, id: string, body: ParsedBody<'forkSession'>): Promise<Session>
  rewind(actor: Actor, id: string, body: ParsedBody<'rewindFiles'>): Promise<EndpointResponse<'rewindFiles'>>
  history(actor: Actor, id: string, query: ParsedQuery<'getHistory'>): Promise<HistoryPage>
  /** In pieces, so that a large one is never whole in memory. */
  export(actor: Actor, id: string, format: 'markdown' | 'json' | 'html'): Promise<ServedFile>
  toolOutput(
    actor: Actor,
    id: string,
    toolCallId: string,
    page: ParsedQuery<'getToolOutput'>,
  ): Promise<ToolOutput>
  toolOutputFile(actor: Actor, id: string, toolCallId: string): Promise<ServedFile>
  toolPicture(actor: Actor, id: string, toolCallId: string, index: number): Promise<ServedFile>
  messagePicture(actor: Actor, id: string, messageId: string, index: number): Promise<ServedFile>
  tasks(actor: Actor, id: string): Promise<Task[]>
  /** Throws `not_found` for what never was, has no output, or has none left. */
  taskOutput(
    actor: Actor,
    id: string,
    taskId: string,
    page: ParsedQuery<'getTaskOutput'>,
  ): Promise<TaskOutput>
  stopTask(actor: Actor, id: string, taskId: string): Promise<void>
  capabilities(actor: Actor, id: string): Promise<EndpointResponse<'getCapabilities'>>
  contextUsage(actor: Actor, id: string): Promise<Record<string, unknown>>
  search(actor: Actor, query: ParsedQuery<'searchSessions'>): Promise<EndpointResponse<'searchSessions'>>
  /** Those of these sessions that are the actor's. */
  visible(actor: Actor, ids: readonly string[]): Promise<Set<string>>
  snapshot(actor: Actor, id: string): Promise<SessionSnapshot>
}

/** What the actor is writing, on whatever device. */
export interface DraftService {
  list(actor: Actor): Promise<Draft[]>
  /** Throws `conflict`, with the draft as it is, for one that was made from another revision. */
  save(actor: Actor, key: string, body: ParsedBody<'saveDraft'>): Promise<Draft>
}

export interface ApprovalService {
  list(
    actor: Actor,
    query: ParsedQuery<'listApprovals'>,
  ): Promise<{ approvals: Approval[]; server_time: string }>
  get(actor: Actor, id: string): Promise<Approval>
  answer(actor: Actor, id: string, answer: ApprovalAnswer): Promise<Approval>
}

export interface RuleService {
  list(actor: Actor, revoked: boolean): Promise<Rule[]>
  create(actor: Actor, rule: ParsedBody<'createRule'>): Promise<Rule>
  change(actor: Actor, id: string, change: ParsedBody<'changeRule'>): Promise<Rule>
  revoke(actor: Actor, id: string): Promise<void>
}

export interface AuditService {
  list(actor: Actor, query: ParsedQuery<'listAudit'>): Promise<{ entries: AuditEntry[]; before?: number }>
  verify(actor: Actor): Promise<EndpointResponse<'verifyAudit'>>
}

export interface CostService {
  report(actor: Actor, query: ParsedQuery<'getCosts'>): Promise<EndpointResponse<'getCosts'>>
  entries(
    actor: Actor,
    query: ParsedQuery<'listLedger'>,
  ): Promise<{ entries: LedgerEntry[]; before?: number }>
  budgets(actor: Actor): Promise<Budget[]>
}

export interface WorkspaceService {
  list(actor: Actor): Promise<Workspace[]>
  get(actor: Actor, id: string): Promise<Workspace>
  create(actor: Actor, body: ParsedBody<'createWorkspace'>): Promise<Workspace>
  change(actor: Actor, id: string, body: ParsedBody<'changeWorkspace'>): Promise<Workspace>
  remove(actor: Actor, id: string): Promise<void>
  trustOf(actor: Actor, id: string): Promise<WorkspaceTrust>
  /** Throws `conflict` when what is there now is not what this digest names. */
  giveTrust(actor: Actor, id: string, digest: string): Promise<WorkspaceTrust>
  takeTrust(actor: Actor, id: string): Promise<void>
}

export interface HookService {
  ofWorkspace(actor: Actor, id: string): Promise<WorkspaceHooks>
  /** Throws `conflict` when what is there now is not what this digest names. */
  allow(actor: Actor, id: string, body: ParsedBody<'allowWorkspaceHook'>): Promise<WorkspaceHooks>
  revoke(actor: Actor, id: string, digest: string): Promise<WorkspaceHooks>
}

export interface ProfileService {
  list(actor: Actor, workspaceId: string | undefined): Promise<ProfileEntry[]>
  get(actor: Actor, name: string, query: ParsedQuery<'getProfile'>): Promise<ProfileDetails>
  check(actor: Actor, body: ParsedBody<'checkProfile'>): Promise<EndpointResponse<'checkProfile'>>
  /** Throws `invalid_request` for one with faults, and `conflict` for one that was made from another version. */
  save(actor: Actor, name: string, body: ParsedBody<'saveProfile'>): Promise<ProfileDetails>
  remove(actor: Actor, name: string, workspaceId: string | undefined): Promise<void>
  imports(
    actor: Actor,
    workspaceId: string | undefined,
  ): Promise<EndpointResponse<'listProfileImports'>['found']>
  import(actor: Actor, body: ParsedBody<'importProfile'>): Promise<ProfileDetails>
}

export interface CommandService {
  /** The slash commands of a session there, as the workspace is trusted now. */
  ofWorkspace(actor: Actor, id: string): Promise<WorkspaceCommands>
}

/** A part of a file on its way out, as JSON can carry it. */
export interface FilePiece {
  base64: string
  /** Of the whole file. */
  bytes: number
  version: string
  /** Said of the first piece. */
  picture?: SessionFile['picture']
}

/** Files of directories that agents work in. Searches are for mentions, best first. */
export interface FileService {
  ofSession(
    actor: Actor,
    sessionId: string,
    query: ParsedQuery<'searchSessionFiles'>,
  ): Promise<EndpointResponse<'searchSessionFiles'>>
  ofWorkspace(
    actor: Actor,
    workspaceId: string,
    query: ParsedQuery<'searchWorkspaceFiles'>,
  ): Promise<EndpointResponse<'searchWorkspaceFiles'>>
  folder(actor: Actor, sessionId: string, path: string): Promise<SessionFolder>
  /** Throws `not_found` for all that is no plain file in there. So does `piece`, and `conflict` where it is of another version. */
  read(actor: Actor, sessionId: string, path: string): Promise<SessionFile>
  piece(
    actor: Actor,
    sessionId: string,
    path: string,
    part: { start: number; version?: string | undefined },
  ): Promise<FilePiece>
}

/** Files that a session changed in its directory. */
export interface ChangeService {
  list(actor: Actor, sessionId: string): Promise<SessionChanges>
  get(actor: Actor, sessionId: string, query: ParsedQuery<'getChange'>): Promise<FileComparison>
  /** Throws `conflict` for what is not as it was seen, or not certain to be the agent's. */
  revert(actor: Actor, sessionId: string, body: ParsedBody<'revertChange'>): Promise<SessionChanges>
  /** All files as they were before a turn. */
  restore(actor: Actor, sessionId: string, body: ParsedBody<'restoreFiles'>): Promise<RestoredFiles>
  git(actor: Actor, sessionId: string): Promise<GitState>
  /** Throws `conflict` where a file is not as it was seen, or another version of it is staged and the body does not say that it may go. */
  stage(actor: Actor, sessionId: string, body: ParsedBody<'stageChanges'>): Promise<GitState>
  /** Throws `conflict` where a file, or the head, is not as it was seen. */
  commit(
    actor: Actor,
    sessionId: string,
    body: ParsedBody<'commitChanges'>,
  ): Promise<EndpointResponse<'commitChanges'>>
}

export interface ConfigService {
  view(actor: Actor): ConfigView
  /** Writes the file (comments stay) and applies what can be applied. All faults are listed at once. */
  change(actor: Actor, set: EndpointBody<'changeConfig'>['set']): Promise<ConfigView>
}

/** Without a workspace, all of these are about the main one. */
export interface McpService {
  list(actor: Actor, workspaceId: string | undefined): Promise<McpList>
  ofSession(actor: Actor, sessionId: string): Promise<McpList>
  get(actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  add(actor: Actor, body: ParsedBody<'addMcpServers'>): Promise<EndpointResponse<'addMcpServers'>>
  change(actor: Actor, name: string, body: ParsedBody<'changeMcpServer'>): Promise<McpServer>
  remove(actor: Actor, name: string): Promise<void>
  test(actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  reconnect(actor: Actor, name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  /** Calls one tool, as a person who tries it. Throws `conflict` for one that no session would get either. */
  call(actor: Actor, name: string, body: ParsedBody<'callMcpTool'>): Promise<McpCall>
  accept(actor: Actor, name: string, body: ParsedBody<'acceptMcpTools'>): Promise<McpServerDetails>
  switch(actor: Actor, body: ParsedBody<'switchMcp'>): Promise<void>
  share(actor: Actor, name: string, body: ParsedBody<'shareMcpServer'>): Promise<McpServer>
  /** Where to send the person. */
  beginSignIn(actor: Actor, name: string, body: ParsedBody<'beginMcpSignIn'>): Promise<McpSignInStep>
  /** With what the person came back with. Throws `gone` for a state that this actor did not begin with, or used before. */
  finishSignIn(
    actor: Actor,
    body: ParsedBody<'finishMcpSignIn'>,
  ): Promise<EndpointResponse<'finishMcpSignIn'>>
  endSignIn(actor: Actor, name: string, workspaceId: string | undefined): Promise<void>
  imports(actor: Actor, workspaceId: string | undefined): Promise<EndpointResponse<'listMcpImports'>>
  import(actor: Actor, body: ParsedBody<'importMcpServers'>): Promise<EndpointResponse<'importMcpServers'>>
  export(actor: Actor, workspaceId: string | undefined): Promise<EndpointResponse<'exportMcpServers'>>
  toolModules(actor: Actor, workspaceId: string | undefined): Promise<EndpointResponse<'listToolModules'>>
}

export interface AuthService {
  /**
   * Who acts with a bearer secret; undefined for one that is unknown, expired or revoked. `agent`: what the program that calls says it
   * is, for people to read.
   */
  authenticate(secret: string, from: string, agent?: string): Promise<Actor | undefined>
  /** Exchanges a one-time code. Throws `gone` for one that is not there. */
  redeem(body: ParsedBody<'redeemCode'>, from: string): Promise<{ token: Token; secret: string }>
  /** A code for at most the actor's own scopes. */
  createCode(
    actor: Actor,
    scopes: readonly Scope[] | undefined,
  ): Promise<{ code: string; expires_at: string; scopes: Scope[] }>
  /** A code to be confirmed by somebody who is signed in, and the secret that claims what comes of it. */
  requestPairing(
    body: ParsedBody<'requestPairing'>,
    from: string,
  ): Promise<EndpointResponse<'requestPairing'>>
  /** Throws `gone` for a secret that is not known, or no longer. */
  claimPairing(secret: string, from: string): Promise<EndpointResponse<'claimPairing'>>
  getPairing(actor: Actor, code: string): Promise<Pairing>
  /** For at most the actor's own scopes; once. */
  confirmPairing(actor: Actor, code: string, scopes: readonly Scope[] | undefined): Promise<Pairing>
  createToken(actor: Actor, body: ParsedBody<'createToken'>): Promise<{ token: Token; secret: string }>
  listTokens(actor: Actor): Promise<Token[]>
  renameToken(actor: Actor, id: string, name: string): Promise<Token>
  revokeToken(actor: Actor, id: string): Promise<void>
  /** Calls back when a token is revoked or expires, so that its streams can be closed. */
  onRevoked(listener: (tokenId: string) => void): () => void
}

export interface StatusService {
  health(): EndpointResponse<'getHealth'>
  status(actor: Actor): Promise<Status>
  tools(actor: Actor): EndpointResponse<'listTools'>
}

/** Called synchronously; must return at once. */
export interface HubListener {
  /** Events of one session, as the bus hands them on. What was stored together comes together: every listener gets the same list. */
  events(events: readonly StreamEvent[]): void
  /** Some may have been lost on the way: read the log. */
  missed(): void
}

/** Live events, of whatever process. The log is always ahead of them: an event is on disk before any listener hears of it. */
export interface EventHub {
  subscribe(sessionIds: Iterable<string>, listener: HubListener): BusSubscription
  subscribeServer(
    actor: Actor,
    listener: { event(event: ServerEvent): void; missed(): void },
  ): BusSubscription
  serverSnapshot(actor: Actor): Promise<ServerSnapshot>
}

export interface Services {
  sessions: SessionService
  drafts: DraftService
  approvals: ApprovalService
  rules: RuleService
  audit: AuditService
  costs: CostService
  workspaces: WorkspaceService
  profiles: ProfileService
  hooks: HookService
  commands: CommandService
  files: FileService
  changes: ChangeService
  config: ConfigService
  mcp: McpService
  auth: AuthService
  status: StatusService
  hub: EventHub
}

/** What is asked before anybody is known, or about nobody's things. */
type Unsigned = {
  /** Of sessions that `sessions.visible` gave. */
  hub: 'subscribe'
  auth: 'authenticate' | 'redeem' | 'requestPairing' | 'claimPairing' | 'onRevoked'
  status: 'health'
}

/** Alike in every way: `unknown`, `any` and a part of it are something else. */
type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** The methods of a service whose first argument is not who acts. */
export type WithoutActor<Service> = {
  [M in keyof Service]: Service[M] extends (...args: infer Args) => unknown
    ? IsSame<Args[0], Actor> extends true
      ? never
      : M
    : M
}[keyof Service]

/** Does not compile when a method leaves out who acts. */
type Checked = {
  [S in keyof Services]: Exclude<WithoutActor<Services[S]>, S extends keyof Unsigned ? Unsigned[S] : never>
}[keyof Services]
const _everyMethodTakesTheActor: [Checked] extends [never] ? true : Checked = true

type CheckedTools = WithoutActor<ToolSessions> | WithoutActor<ToolConfig> | WithoutActor<ToolCosts>
const _everyToolTakesTheActor: [CheckedTools] extends [never] ? true : CheckedTools = true
