/** One valid value of each resource, for services that answer in tests. */
import type {
  Approval,
  AuditEntry,
  Draft,
  LedgerEntry,
  McpServer,
  Pairing,
  ProfileEntry,
  Rule,
  Session,
  Token,
  Turn,
  Workspace,
  WorkspaceTrust,
} from '@dorkos/shared'

const workspaceHooks = {
  hooks: [{ event: 'PreToolUse', kind: 'callback', source: 'dorkos', state: 'runs' }],
  plugins: [],
  faults: [],
}

export const sessionId = '11111111-1111-4111-8111-111111111111'
export const otherSessionId = '22222222-2222-4222-8222-222222222222'
const changes = { spans: [], files: [], complete: true }
const gitState = { can_commit: false, hooks: [], signs: false, files: [] }
export const messageId = '33333333-3333-4333-8333-333333333333'
export const time = '2026-01-01T00:00:00.000Z'
const tokens = { input: 1, output: 2, cache_read: 0, cache_write: 0 }

export const session: Session = {
  id: sessionId,
  cwd: '/projects',
  origin: 'dorkos',
  state: 'idle',
  live: true,
  permission_mode: 'default',
  created_at: time,
  updated_at: time,
  archived: false,
  pinned: false,
  unattended: false,
  budget_usd: 5,
  demo: false,
  cli_session_ids: [sessionId],
  pending_approvals: 0,
  queued_messages: 0,
}

const draft: Draft = { key: sessionId, text: 'half a thought', revision: 3, updated_at: time }

export const turn: Turn = {
  id: messageId,
  session_id: sessionId,
  cause: 'message',
  state: 'queued',
  principal: 'owner',
  created_at: time,
}

export const approval: Approval = {
  id: 'apr_00000001',
  kind: 'tool',
  session_id: sessionId,
  principal: 'owner',
  tool: 'Bash',
  input: { command: 'ls' },
  input_hash: 'abc',
  risk: 'execute',
  state: 'pending',
  created_at: time,
  deadline: time,
}

export const rule: Rule = {
  id: 'rule_00000001',
  effect: 'allow',
  tool: 'Read',
  scope: { kind: 'everywhere' },
  origin: 'api',
  principal: 'owner',
  created_at: time,
}

export const workspace: Workspace = {
  id: 'ws_00000001',
  name: 'main',
  path: '/projects',
  trusted: true,
  trust: 'trusted',
  mode: 'host',
  main: true,
  created_at: time,
}

const mcpServer: McpServer = {
  name: 'github',
  source: { scope: 'dorkos', file: '/state/config.jsonc', line: 3 },
  entry: { type: 'stdio', command: 'npx', args: [], env: { TOKEN: '•••' } },
  use: 'active',
  held_tools: 0,
}
const mcpDetails = {
  server: mcpServer,
  tools: [],
  resources: [],
  prompts: [],
  faults: [],
  stderr: [],
  history: [],
}
const mcpAdded = { added: ['github'], faults: [], fill_in: [] }

const trust: WorkspaceTrust = {
  state: 'trusted',
  digest: 'a'.repeat(64),
  items: [{ kind: 'server', path: '.mcp.json', name: 'one', runs: ['node one.mjs'], text: '{}' }],
  faults: [],
  given: { principal: 'owner', at: time },
}

export const token: Token = {
  id: 'tok_00000001',
  name: 'all',
  scopes: ['read'],
  principal: 'owner',
  kind: 'api',
  created_at: time,
}

export const pairing: Pairing = {
  code: 'ABCDE-FGHJK',
  name: 'a browser',
  kind: 'browser',
  from: '10.0.0.7',
  created_at: time,
  expires_at: time,
  confirmed: false,
}

const profileEntry: ProfileEntry = {
  name: 'helper',
  origin: 'owner',
  digest: 'a'.repeat(64),
  faults: [],
  untrusted: false,
}
const profileDetails = { ...profileEntry, text: '---' }

const ledgerEntry: LedgerEntry = {
  id: 1,
  time,
  session_id: sessionId,
  turn_id: messageId,
  principal: 'owner',
  model: 'm',
  usd: 0.1,
  tokens,
  duration_ms: 5,
  demo: false,
}

const auditEntry: AuditEntry = { id: 1, time, action: 'tool_decided', principal: 'owner', hash: 'h' }

const config = {
  keys: [
    {
      path: 'sessions.budgetUsd',
      value: 10,
      default: 10,
      source: 'default',
      description: 'What one session may cost.',
      restart: false,
      file_only: false,
      schema: {},
    },
  ],
  file: '/home/config.jsonc',
}

/** What each method of the services answers, by `service.method`. */
export const answers: Record<string, unknown> = {
  'sessions.list': { sessions: [session] },
  'sessions.get': session,
  'sessions.create': { session },
  'sessions.change': session,
  'sessions.send': { turn },
  'sessions.turns': [turn],
  'sessions.editMessage': turn,
  'sessions.withdrawMessage': turn,
  'sessions.moveMessage': turn,
  'sessions.steerMessage': turn,
  'sessions.resendMessage': { turn },
  'sessions.releaseQueue': session,
  'sessions.confirmFolder': session,
  'sessions.settleMessage': turn,
  'sessions.start': session,
  'sessions.stop': session,
  'sessions.interrupt': session,
  'sessions.pause': session,
  'sessions.resume': session,
  'sessions.fork': session,
  'sessions.rewind': { can_rewind: true, files: [] },
  'sessions.history': { events: [] },
  'sessions.toolOutput': { text: 'all', bytes: 3, pictures: [] },
  'sessions.tasks': [{ task_id: 'b1', kind: 'command', label: 'sleep', background: true, status: 'running' }],
  'sessions.taskOutput': { text: 'all', offset: 0, next_offset: 3, bytes: 3 },
  'sessions.capabilities': { commands: [], models: [], agents: [], mcp_servers: [] },
  'sessions.contextUsage': { used: 1 },
  'sessions.search': { hits: [], complete: true },
  'drafts.list': [draft],
  'drafts.save': draft,
  'approvals.list': { approvals: [approval], server_time: time },
  'approvals.get': approval,
  'approvals.answer': { ...approval, state: 'allowed' },
  'rules.list': [rule],
  'rules.create': rule,
  'rules.change': rule,
  'audit.list': { entries: [auditEntry] },
  'audit.verify': { intact: true, entries: 1 },
  'costs.report': { group: 'day', totals: [], total: { usd: 0, tokens, turns: 0 } },
  'costs.entries': { entries: [ledgerEntry] },
  'costs.budgets': [{ kind: 'day', limit_usd: 5, used_usd: 1, state: 'ok' }],
  'workspaces.list': [workspace],
  'workspaces.get': workspace,
  'workspaces.create': workspace,
  'workspaces.change': workspace,
  'workspaces.trustOf': trust,
  'workspaces.giveTrust': trust,
  'profiles.list': [profileEntry],
  'profiles.get': profileDetails,
  'profiles.check': { faults: [] },
  'profiles.save': profileDetails,
  'profiles.imports': [],
  'profiles.import': profileDetails,
  'hooks.ofWorkspace': workspaceHooks,
  'hooks.allow': workspaceHooks,
  'hooks.revoke': workspaceHooks,
  'commands.ofWorkspace': {
    commands: [{ name: 'tea', description: 'Makes tea', argument_hint: '', aliases: [], source: 'project' }],
    has_builtin: false,
  },
  'files.ofSession': { files: [{ path: 'src/a.ts', kind: 'file' }], complete: true },
  'changes.list': changes,
  'changes.get': { path: 'a.txt', by: 'agent', changed_since: false, hash: 'absent' },
  'changes.revert': changes,
  'changes.restore': { restored: [], asking: [], not_restorable: [], outside: [], complete: true },
  'changes.git': gitState,
  'changes.stage': gitState,
  'changes.commit': { commit: 'abc', index_updated: true, git: gitState },
  'files.ofWorkspace': { files: [{ path: 'src', kind: 'directory' }], complete: true },
  'files.folder': { entries: [{ name: 'src', kind: 'directory' }], complete: true },
  'files.read': { bytes: 1, changed_at: time, text: 'a', complete: true },
  'files.piece': { base64: 'YQ==', bytes: 1, version: 'v' },
  'mcp.list': { servers: [mcpServer], faults: [] },
  'mcp.ofSession': { servers: [mcpServer], faults: [] },
  'mcp.get': mcpDetails,
  'mcp.add': mcpAdded,
  'mcp.change': mcpServer,
  'mcp.share': mcpServer,
  'mcp.test': mcpDetails,
  'mcp.reconnect': mcpDetails,
  'mcp.call': { content: [{ type: 'text', text: 'done' }], is_error: false, duration_ms: 5 },
  'mcp.accept': mcpDetails,
  'mcp.beginSignIn': { step: 'needs_client', host: 'auth.example', issuer: 'https://auth.example' },
  'mcp.finishSignIn': { name: 'github', details: mcpDetails },
  'mcp.imports': { clients: [] },
  'mcp.import': mcpAdded,
  'mcp.export': { mcpServers: {}, fill_in: [] },
  'mcp.toolModules': { folders: [] },
  'config.view': config,
  'config.change': config,
  'status.health': { status: 'ok', product: 'DorkOS', version: '0.0.0', demo: true },
  'status.status': {
    version: '0.0.0',
    started_at: time,
    uptime_seconds: 1,
    port: 1,
    host: '127.0.0.1',
    cli: {},
    model: { mode: 'demo', source: 'demo', gateway: true },
    sandbox: { enabled: false },
    containers: { available: false, reason: 'bubblewrap not installed' },
    sessions: { live: 0, max_live: 8, working: 0 },
    index: { transcripts: 0, indexed: 0 },
    pending_approvals: 0,
    banners: [{ code: 'demo_model', level: 'info', message: 'A demo answers.' }],
  },
  'status.tools': { server: 'dorkos', tools: [] },
}

/** A body that fits, by endpoint; `{}` where it is not named. */
export const bodies: Record<string, unknown> = {
  redeemCode: { code: 'ABCDEF', name: 'a browser' },
  requestPairing: { name: 'a browser' },
  claimPairing: { secret: 's'.repeat(43) },
  createToken: { name: 'ci', scopes: ['read'] },
  renameToken: { name: 'the old laptop' },
  changeConfig: { set: { port: 1 } },
  createWorkspace: { path: '/projects' },
  giveWorkspaceTrust: { digest: 'a'.repeat(64) },
  checkProfile: { name: 'helper', text: '---' },
  saveProfile: { text: '---', base_digest: null },
  importProfile: { file: '/home/owner/.claude/agents/helper.md', name: 'helper' },
  allowWorkspaceHook: { digest: 'a'.repeat(64), grant: 'run' },
  sendMessage: { content: 'hello' },
  editMessage: { content: 'hello' },
  moveMessage: { before: null },
  settleMessage: { action: 'run' },
  rewindFiles: { message_id: messageId },
  saveDraft: { text: 'hello', base_revision: 0 },
  revertChange: { path: 'a.txt', expected_hash: 'absent' },
  restoreFiles: { turn_id: messageId },
  stageChanges: { files: [{ path: 'a.txt', hash: 'absent' }], staged: true },
  commitChanges: { files: [{ path: 'a.txt', hash: 'absent' }], message: 'm', head: null },
  answerApproval: { decision: 'allow' },
  addMcpServers: { name: 'github', entry: { command: 'npx' } },
  changeMcpServer: { entry: { command: 'npx' } },
  callMcpTool: { tool: 'push' },
  acceptMcpTools: { tools: [{ name: 'push', hash: 'abc' }] },
  beginMcpSignIn: { redirect_uri: 'http://127.0.0.1:9/callback' },
  finishMcpSignIn: { state: 'a state', code: 'a code' },
  switchMcp: { session_id: sessionId, server: 'github', off: true },
  shareMcpServer: { sharing: 'shared' },
  importMcpServers: {
    file: '/home/owner/.cursor/mcp.json',
    servers: [{ name: 'github', hash: 'abc' }],
  },
  createRule: { effect: 'allow', tool: 'Read', scope: { kind: 'everywhere' } },
}

/** A query that fits, for endpoints that need one. */
export const queries: Record<string, string> = {
  searchSessions: '?q=x',
  readSessionFile: '?path=a',
  getSessionFile: '?path=a',
  getChange: '?path=a.txt',
}
