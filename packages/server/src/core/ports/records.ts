/**
 * Records: what is kept for ever or until a person deletes it. SQL only; one adapter. Sessions, drafts, workspaces, rules, tokens,
 * the audit log, the ledger and what is known of MCP servers. All methods are asynchronous; what they wrote survives a power
 * cut when they resolve.
 */
import type {
  AuditEntry,
  Effort,
  LedgerEntry,
  PermissionMode,
  Rule,
  SessionActivity,
  Token,
  TokenCounts,
  TurnOutcome,
  Workspace,
} from '@dorkos/shared'
import type { UsableProfile } from '../profiles/profile-service.ts'
import type { DraftStore } from './drafts.ts'
import type { HookConsentStore } from './hook-consents.ts'
import type { McpStore } from './mcp-store.ts'
import type { TrustStore } from './trust.ts'
import type { TurnTreeStore } from './turn-trees.ts'

/** A session that DorkOS has run (or changed); terminal sessions have none until then. */
export interface SessionRecord {
  id: string
  workspaceId: string | undefined
  cwd: string
  title: string | undefined
  firstPrompt: string | undefined
  model: string | undefined
  /** Absent in records from before there was a choice. */
  effort?: Effort | undefined
  permissionMode: PermissionMode
  /** The last state that was known; a live session's own state counts more. */
  state: SessionActivity
  /** How the last turn ended; absent before one did, and in records from before it was kept. */
  lastOutcome?: TurnOutcome | undefined
  cliSessionIds: string[]
  archived: boolean
  pinned: boolean
  unattended: boolean
  /**
   * It works in a workspace, or somebody with the right to approve made it here or confirmed its folder. Until then every tool call
   * asks.
   */
  folderConfirmed: boolean
  maxTurns: number | undefined
  budgetUsd: number | undefined
  outputSchema: Record<string, unknown> | undefined
  /** With all that it says, as it was when the session was made. */
  profile?: UsableProfile | undefined
  demo: boolean
  forkedFrom: string | undefined
  /** What the agent proposed for the next commit. */
  proposedCommit?: string | undefined
  /** A fork that has no transcript of its own yet: where its first process begins. */
  resumeFrom: { sessionId: string; messageId?: string } | undefined
  /**
   * A message is sent again in the place of the one of this turn: the next process goes on from there, unless the conversation went on
   * already. `at` is the last that it keeps of the transcript; null: nothing, and the conversation begins anew.
   */
  branch?: { replaces: string; at: { cliSessionId: string; messageId: string } | null } | undefined
  /** How many of the CLI's sessions are no part of the conversation any more: it began anew after them. */
  droppedCliSessions?: number
  /** Of the request that made it, to decide whether another with the same key is the same. */
  requestHash?: string
  principal: string
  createdAt: string
  /** When something last happened in the conversation. */
  updatedAt: string
}

export interface SessionStore {
  /** With a key that the principal used before, answers with the session of then. */
  create(record: SessionRecord, idempotencyKey?: string): Promise<{ created: boolean; record: SessionRecord }>
  get(id: string): Promise<SessionRecord | undefined>
  getMany(ids: string[]): Promise<Map<string, SessionRecord>>
  /** Changes the given fields; undefined when there is no such session. */
  change(
    id: string,
    change: Partial<Omit<SessionRecord, 'id' | 'principal' | 'createdAt'>>,
  ): Promise<SessionRecord | undefined>
  /** Newest `updatedAt` first. `before` is the `updatedAt|id` of the last one seen. */
  list(filter: SessionFilter): Promise<SessionRecord[]>
  /** What people were writing to it goes with it. */
  remove(id: string): Promise<void>
  /** The session that a CLI id belongs to. */
  byCliId(cliSessionId: string): Promise<SessionRecord | undefined>
}

export interface SessionFilter {
  /** Null: everybody's, for the server itself. */
  principal: string | null
  workspaceId?: string
  archived?: boolean
  pinned?: boolean
  before?: { updatedAt: string; id: string }
  limit: number
}

export interface WorkspaceStore {
  /** Making one main unmakes the other, in one step. */
  create(workspace: Workspace): Promise<void>
  /** With `from`, only while its trust is this: undefined, and nothing is changed, when it is another by now. */
  change(
    id: string,
    change: Partial<Pick<Workspace, 'name' | 'trust' | 'main'>>,
    from?: Workspace['trust'],
  ): Promise<Workspace | undefined>
  /** Refused (false) for the main one. What was trusted goes with it. */
  remove(id: string): Promise<boolean>
  get(id: string): Promise<Workspace | undefined>
  list(): Promise<Workspace[]>
}

export interface RuleStore {
  create(rule: Rule): Promise<void>
  change(
    id: string,
    change: Partial<Pick<Rule, 'effect' | 'tool' | 'match' | 'scope'>>,
  ): Promise<Rule | undefined>
  revoke(id: string, at: string): Promise<Rule | undefined>
  get(id: string): Promise<Rule | undefined>
  list(filter: { principal: string | null; revoked: boolean }): Promise<Rule[]>
}

/** A token with what is never shown. */
export interface TokenRecord extends Token {
  /** SHA-256 of the secret, in hex. */
  hash: string
}

export interface TokenUse {
  at: string
  from: string
  agent?: string | undefined
}

export interface TokenStore {
  create(token: TokenRecord): Promise<void>
  byHash(hash: string): Promise<TokenRecord | undefined>
  list(filter: { principal: string | null }): Promise<Token[]>
  revoke(id: string, at: string): Promise<Token | undefined>
  rename(id: string, name: string): Promise<Token | undefined>
  /** Notes the last use; what it says of an earlier one goes. */
  touch(id: string, use: TokenUse): Promise<void>
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'hash'>

export interface AuditLog {
  /** Adds entries in order; each gets the hash of its content and of the entry before. */
  append(entries: NewAuditEntry[]): Promise<void>
  /** Newest first. */
  list(filter: {
    /** Of any of these. */
    principals: readonly string[]
    sessionId?: string
    /** What happened in it, or to it. */
    workspaceId?: string
    /** In capitals or not. */
    tool?: string
    action?: string
    before?: number
    limit: number
  }): Promise<AuditEntry[]>
  /** Whether there is any entry of this action, whoever it is about. */
  has(action: string): Promise<boolean>
  verify(): Promise<{ intact: boolean; entries: number; firstFault?: number }>
}

export type NewLedgerEntry = Omit<LedgerEntry, 'id'>

export interface CostSum {
  usd: number
  tokens: TokenCounts
  turns: number
}

export interface Ledger {
  /** One turn's rows. A turn that is there already is not added again. */
  append(entries: NewLedgerEntry[]): Promise<void>
  list(filter: {
    principal: string | null
    sessionId?: string
    before?: number
    limit: number
  }): Promise<LedgerEntry[]>
  totals(filter: {
    principal: string
    group: 'day' | 'workspace' | 'model' | 'session'
    from?: string
    to?: string
    demo?: boolean
  }): Promise<({ key: string } & CostSum)[]>
  /** Real money only: demo rows count nothing. Of the sessions of `upTo`, rows up to that id alone. */
  spent(filter: {
    principal: string | null
    sessionId?: string
    from?: string
    upTo?: readonly { sessionId: string; bookedTo: number }[]
  }): Promise<number>
}

export interface Records {
  sessions: SessionStore
  drafts: DraftStore
  workspaces: WorkspaceStore
  rules: RuleStore
  tokens: TokenStore
  audit: AuditLog
  ledger: Ledger
  mcp: McpStore
  trust: TrustStore
  hookConsents: HookConsentStore
  turnTrees: TurnTreeStore
  /** Small values of the server itself, such as secrets for signatures. */
  getValue(key: string): Promise<string | undefined>
  setValue(key: string, value: string): Promise<void>
}
