/**
 * What the HTTP layer may ask of the core: one interface per resource, types only. Every method takes the caller, throws
 * `AppError` and nothing else on purpose, and returns the shapes of the contract.
 */
import type {
  AcceptedMessage,
  Approval,
  ApprovalAnswer,
  AuditEntry,
  Budget,
  ConfigView,
  EndpointBody,
  EndpointResponse,
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
  Rule,
  Scope,
  ServerEvent,
  ServerSnapshot,
  Session,
  SessionSnapshot,
  Status,
  StreamEvent,
  Token,
  Turn,
  Workspace,
  WorkspaceHooks,
  WorkspaceTrust,
} from '@dorkos/shared'

/** Who calls: taken from the token's row, never from the request. */
export interface Caller {
  principal: string
  tokenId: string
  tokenName: string
  scopes: readonly Scope[]
  /** The address that the call came from. */
  from: string
}

export interface SessionService {
  list(query: ParsedQuery<'listSessions'>): Promise<{ sessions: Session[]; cursor?: string }>
  get(id: string): Promise<Session>
  create(
    caller: Caller,
    body: ParsedBody<'createSession'>,
    idempotencyKey?: string,
  ): Promise<{ session: Session; message?: AcceptedMessage }>
  change(caller: Caller, id: string, body: ParsedBody<'changeSession'>): Promise<Session>
  remove(caller: Caller, id: string): Promise<void>
  send(
    caller: Caller,
    id: string,
    body: ParsedBody<'sendMessage'>,
    idempotencyKey?: string,
  ): Promise<AcceptedMessage>
  turns(id: string, query: ParsedQuery<'listTurns'>): Promise<Turn[]>
  editMessage(
    caller: Caller,
    id: string,
    messageId: string,
    content: ParsedBody<'editMessage'>['content'],
  ): Promise<Turn>
  withdrawMessage(caller: Caller, id: string, messageId: string): Promise<Turn>
  /** Before another that waits; undefined: at the end. */
  moveMessage(caller: Caller, id: string, messageId: string, before: string | undefined): Promise<Turn>
  steerMessage(caller: Caller, id: string, messageId: string): Promise<Turn>
  settleMessage(caller: Caller, id: string, messageId: string, action: 'run' | 'drop'): Promise<Turn>
  releaseQueue(caller: Caller, id: string): Promise<Session>
  confirmFolder(caller: Caller, id: string): Promise<Session>
  start(caller: Caller, id: string): Promise<Session>
  stop(caller: Caller, id: string): Promise<Session>
  interrupt(caller: Caller, id: string, queue: ParsedBody<'interruptSession'>): Promise<Session>
  pause(caller: Caller, id: string): Promise<Session>
  resume(caller: Caller, id: string): Promise<Session>
  fork(caller: Caller, id: string, body: ParsedBody<'forkSession'>): Promise<Session>
  rewind(
    caller: Caller,
    id: string,
    body: ParsedBody<'rewindFiles'>,
  ): Promise<EndpointResponse<'rewindFiles'>>
  history(id: string, query: ParsedQuery<'getHistory'>): Promise<HistoryPage>
  /** The text in pieces, so that a large one is never whole in memory. */
  export(
    id: string,
    format: 'markdown' | 'json',
  ): Promise<{ fileName: string; mediaType: string; chunks: AsyncIterable<string> }>
  capabilities(id: string): Promise<EndpointResponse<'getCapabilities'>>
  contextUsage(id: string): Promise<Record<string, unknown>>
  search(query: ParsedQuery<'searchSessions'>): Promise<EndpointResponse<'searchSessions'>>
  snapshot(id: string): Promise<SessionSnapshot>
}

export interface ApprovalService {
  list(query: ParsedQuery<'listApprovals'>): Promise<{ approvals: Approval[]; server_time: string }>
  get(id: string): Promise<Approval>
  answer(caller: Caller, id: string, answer: ApprovalAnswer): Promise<Approval>
}

export interface RuleService {
  list(revoked: boolean): Promise<Rule[]>
  create(caller: Caller, rule: ParsedBody<'createRule'>): Promise<Rule>
  change(caller: Caller, id: string, change: ParsedBody<'changeRule'>): Promise<Rule>
  revoke(caller: Caller, id: string): Promise<void>
}

export interface AuditService {
  list(query: ParsedQuery<'listAudit'>): Promise<{ entries: AuditEntry[]; before?: number }>
  verify(): Promise<EndpointResponse<'verifyAudit'>>
}

export interface CostService {
  report(query: ParsedQuery<'getCosts'>): Promise<EndpointResponse<'getCosts'>>
  entries(query: ParsedQuery<'listLedger'>): Promise<{ entries: LedgerEntry[]; before?: number }>
  budgets(): Promise<Budget[]>
}

export interface WorkspaceService {
  list(): Promise<Workspace[]>
  get(id: string): Promise<Workspace>
  create(caller: Caller, body: ParsedBody<'createWorkspace'>): Promise<Workspace>
  change(caller: Caller, id: string, body: ParsedBody<'changeWorkspace'>): Promise<Workspace>
  remove(caller: Caller, id: string): Promise<void>
  trustOf(id: string): Promise<WorkspaceTrust>
  /** Throws `conflict` when what is there now is not what this digest names. */
  giveTrust(caller: Caller, id: string, digest: string): Promise<WorkspaceTrust>
  takeTrust(caller: Caller, id: string): Promise<void>
}

export interface HookService {
  ofWorkspace(id: string): Promise<WorkspaceHooks>
  /** Throws `conflict` when what is there now is not what this digest names. */
  allow(caller: Caller, id: string, body: ParsedBody<'allowWorkspaceHook'>): Promise<WorkspaceHooks>
  revoke(caller: Caller, id: string, digest: string): Promise<WorkspaceHooks>
}

/** Files for mentions, best first. */
export interface FileService {
  ofSession(
    sessionId: string,
    query: ParsedQuery<'searchSessionFiles'>,
  ): Promise<EndpointResponse<'searchSessionFiles'>>
  ofWorkspace(
    workspaceId: string,
    query: ParsedQuery<'searchWorkspaceFiles'>,
  ): Promise<EndpointResponse<'searchWorkspaceFiles'>>
}

export interface ConfigService {
  view(): ConfigView
  /** Writes the file (comments stay) and applies what can be applied. All faults are listed at once. */
  change(caller: Caller, set: EndpointBody<'changeConfig'>['set']): Promise<ConfigView>
}

/** Without a workspace, all of these are about the main one. */
export interface McpService {
  list(workspaceId: string | undefined): Promise<McpList>
  ofSession(sessionId: string): Promise<McpList>
  get(name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  add(caller: Caller, body: ParsedBody<'addMcpServers'>): Promise<EndpointResponse<'addMcpServers'>>
  change(caller: Caller, name: string, body: ParsedBody<'changeMcpServer'>): Promise<McpServer>
  remove(caller: Caller, name: string): Promise<void>
  test(caller: Caller, name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  reconnect(caller: Caller, name: string, workspaceId: string | undefined): Promise<McpServerDetails>
  /** Calls one tool, as a person who tries it. Throws `conflict` for one that no session would get either. */
  call(caller: Caller, name: string, body: ParsedBody<'callMcpTool'>): Promise<McpCall>
  accept(caller: Caller, name: string, body: ParsedBody<'acceptMcpTools'>): Promise<McpServerDetails>
  switch(caller: Caller, body: ParsedBody<'switchMcp'>): Promise<void>
  /** Where to send the person. */
  beginSignIn(caller: Caller, name: string, body: ParsedBody<'beginMcpSignIn'>): Promise<McpSignInStep>
  /** With what the person came back with. Throws `gone` for a state that this caller did not begin with, or used before. */
  finishSignIn(
    caller: Caller,
    body: ParsedBody<'finishMcpSignIn'>,
  ): Promise<EndpointResponse<'finishMcpSignIn'>>
  endSignIn(caller: Caller, name: string, workspaceId: string | undefined): Promise<void>
  imports(workspaceId: string | undefined): Promise<EndpointResponse<'listMcpImports'>>
  import(caller: Caller, body: ParsedBody<'importMcpServers'>): Promise<EndpointResponse<'importMcpServers'>>
  export(workspaceId: string | undefined): Promise<EndpointResponse<'exportMcpServers'>>
  toolModules(workspaceId: string | undefined): Promise<EndpointResponse<'listToolModules'>>
}

export interface AuthService {
  /**
   * The caller behind a bearer secret; undefined for one that is unknown, expired or revoked. `agent`: what the program that calls says it
   * is, for people to read.
   */
  authenticate(secret: string, from: string, agent?: string): Promise<Caller | undefined>
  /** Exchanges a one-time code. Throws `gone` for one that is not there. */
  redeem(body: ParsedBody<'redeemCode'>, from: string): Promise<{ token: Token; secret: string }>
  /** A code for at most the caller's own scopes. */
  createCode(
    caller: Caller,
    scopes: readonly Scope[] | undefined,
  ): Promise<{ code: string; expires_at: string; scopes: Scope[] }>
  /** A code to be confirmed by somebody who is signed in, and the secret that claims what comes of it. */
  requestPairing(
    body: ParsedBody<'requestPairing'>,
    from: string,
  ): Promise<EndpointResponse<'requestPairing'>>
  /** Throws `gone` for a secret that is not known, or no longer. */
  claimPairing(secret: string, from: string): Promise<EndpointResponse<'claimPairing'>>
  getPairing(caller: Caller, code: string): Promise<Pairing>
  /** For at most the caller's own scopes; once. */
  confirmPairing(caller: Caller, code: string, scopes: readonly Scope[] | undefined): Promise<Pairing>
  createToken(caller: Caller, body: ParsedBody<'createToken'>): Promise<{ token: Token; secret: string }>
  listTokens(caller: Caller): Promise<Token[]>
  renameToken(caller: Caller, id: string, name: string): Promise<Token>
  revokeToken(caller: Caller, id: string): Promise<void>
  /** Calls back when a token is revoked or expires, so that its streams can be closed. */
  onRevoked(listener: (tokenId: string) => void): () => void
}

export interface StatusService {
  health(): EndpointResponse<'getHealth'>
  status(): Promise<Status>
  tools(): EndpointResponse<'listTools'>
}

/** A published event. Its JSON is made once, however many clients follow. */
export interface PublishedEvent {
  readonly position: number
  readonly event: StreamEvent
  readonly json: string
}

export interface PublishedServerEvent {
  readonly event: ServerEvent
  readonly json: string
}

/**
 * Live events. A listener is called synchronously, in the order of positions, and must return at once. Events of one session that
 * were stored together come together: every listener gets the same list.
 * The log is always ahead of the hub: an event is on disk before any listener hears of it.
 */
export interface EventHub {
  subscribe(sessionIds: Iterable<string>, listener: (events: readonly PublishedEvent[]) => void): () => void
  subscribeServer(listener: (event: PublishedServerEvent) => void): () => void
  serverSnapshot(): Promise<ServerSnapshot>
}

export interface Services {
  sessions: SessionService
  approvals: ApprovalService
  rules: RuleService
  audit: AuditService
  costs: CostService
  workspaces: WorkspaceService
  hooks: HookService
  files: FileService
  config: ConfigService
  mcp: McpService
  auth: AuthService
  status: StatusService
  hub: EventHub
}
