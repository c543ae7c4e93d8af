/**
 * The API as one table. Routes, the typed client, OpenAPI and the security tests are made from it: what is not here does
 * not exist.
 */
import { z } from 'zod'
import {
  approvalAnswerSchema,
  approvalSchema,
  approvalStateSchema,
  auditEntrySchema,
  newRuleSchema,
  ruleSchema,
} from './approval.ts'
import { authEndpoints } from './auth-endpoints.ts'
import { configViewSchema } from './config.ts'
import { budgetSchema, costGroups, costReportSchema, ledgerEntrySchema } from './cost.ts'
import { historyPageSchema } from './event.ts'
import { recordIdSchema, sessionIdSchema, timeSchema, uuidSchema } from './ids.ts'
import { mcpEndpoints } from './mcp-endpoints.ts'
import {
  acceptedMessageSchema,
  effortSchema,
  messageContentSchema,
  permissionModeSchema,
  sessionSchema,
  turnSchema,
} from './session.ts'
import { healthSchema, statusSchema } from './status.ts'
import type { Scope } from './token.ts'
import { giveTrustSchema, workspaceTrustSchema } from './trust.ts'
import { newWorkspaceSchema, workspaceChangeSchema, workspaceSchema } from './workspace.ts'

export interface Endpoint {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters. */
  path: string
  summary: string
  /** The scope that a token needs, or `public` for none at all. */
  scope: Scope | 'public'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Absent: 204 without a body. */
  response?: z.ZodType
  /** 200 unless said. */
  status?: 200 | 201 | 202
  /** The answer is an event stream (`always`), or becomes one for `Accept: text/event-stream` (`accept`). */
  stream?: 'always' | 'accept'
  /** The answer is a file of this type and not JSON. */
  file?: boolean
  /** Takes an `Idempotency-Key` header. */
  idempotent?: boolean
  /** Bytes; 1 MiB unless said. */
  bodyLimit?: number
}

const session = z.object({ id: sessionIdSchema })
const record = z.object({ id: recordIdSchema })
const message = z.object({ id: sessionIdSchema, messageId: uuidSchema })
const limit = (max: number, standard: number) => z.coerce.number().int().min(1).max(max).default(standard)
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const empty = z.strictObject({})

const fileQuery = z.object({
  /** Letters of the path in their order, as fuzzy finders take them. Empty: files that were changed last. */
  q: z.string().max(500).default(''),
  limit: limit(200, 20),
})

const foundFilesSchema = z.object({
  /** Relative to the directory, with `/`. */
  files: z.array(z.object({ path: z.string(), kind: z.enum(['file', 'directory']) })),
  /** False when there are more files than are looked at. */
  complete: z.boolean(),
})

const sendBody = z.strictObject({
  content: messageContentSchema,
  /** `steer` goes into the running turn if there is one; otherwise the message waits for its own turn. */
  delivery: z.enum(['queue', 'steer']).default('queue'),
})

const newSessionBody = z.strictObject({
  /** Default: the main workspace. */
  workspace_id: recordIdSchema.optional(),
  /** A directory inside the workspace. */
  cwd: z.string().max(4096).optional(),
  title: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
  effort: effortSchema.optional(),
  permission_mode: permissionModeSchema.optional(),
  max_turns: z.number().int().min(1).max(10_000).optional(),
  budget_usd: z.number().min(0).max(100_000).optional(),
  unattended: z.boolean().default(false),
  /** Answers of the session are JSON of this schema. */
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** The first message. */
  content: messageContentSchema.optional(),
})

const sessionChangeBody = z.strictObject({
  title: z.string().min(1).max(200).optional(),
  archived: z.boolean().optional(),
  pinned: z.boolean().optional(),
  /** null: the default model. */
  model: z.string().min(1).max(200).nullable().optional(),
  /** null: the model's own. */
  effort: effortSchema.nullable().optional(),
  permission_mode: permissionModeSchema.optional(),
  max_turns: z.number().int().min(1).max(10_000).optional(),
  budget_usd: z.number().min(0).max(100_000).optional(),
  unattended: z.boolean().optional(),
})

export const endpoints = {
  getHealth: {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether a DorkOS answers here',
    scope: 'public',
    response: healthSchema,
  },
  getStatus: {
    method: 'GET',
    path: '/api/status',
    summary: 'How the server is, with banners',
    scope: 'read',
    response: statusSchema,
  },

  ...authEndpoints,

  getConfig: {
    method: 'GET',
    path: '/api/config',
    summary: 'The configuration with its documentation',
    scope: 'read',
    response: configViewSchema,
  },
  changeConfig: {
    method: 'PATCH',
    path: '/api/config',
    summary: 'Change keys in the configuration file',
    scope: 'admin',
    /** Keys with dots; null takes a key out of the file. */
    body: z.strictObject({ set: z.record(z.string(), z.unknown()) }),
    response: configViewSchema,
  },

  listWorkspaces: {
    method: 'GET',
    path: '/api/workspaces',
    summary: 'All workspaces',
    scope: 'read',
    response: z.object({ workspaces: z.array(workspaceSchema) }),
  },
  createWorkspace: {
    method: 'POST',
    path: '/api/workspaces',
    summary: 'Add a directory as a workspace',
    scope: 'admin',
    body: newWorkspaceSchema,
    response: workspaceSchema,
    status: 201,
  },
  getWorkspace: {
    method: 'GET',
    path: '/api/workspaces/:id',
    summary: 'One workspace',
    scope: 'read',
    params: record,
    response: workspaceSchema,
  },
  changeWorkspace: {
    method: 'PATCH',
    path: '/api/workspaces/:id',
    summary: 'Rename or make main; trust, where there is nothing to look at',
    scope: 'admin',
    params: record,
    body: workspaceChangeSchema,
    response: workspaceSchema,
  },
  deleteWorkspace: {
    method: 'DELETE',
    path: '/api/workspaces/:id',
    summary: 'Forget a workspace; its files stay',
    scope: 'admin',
    params: record,
  },
  getWorkspaceTrust: {
    method: 'GET',
    path: '/api/workspaces/:id/trust',
    summary: 'What trust in a workspace covers, exactly what would run, and what has changed',
    scope: 'read',
    params: record,
    response: workspaceTrustSchema,
  },
  giveWorkspaceTrust: {
    method: 'POST',
    path: '/api/workspaces/:id/trust',
    summary: 'Trust a workspace as it was shown; refused when it is different by now',
    scope: 'admin',
    params: record,
    body: giveTrustSchema,
    response: workspaceTrustSchema,
  },
  takeWorkspaceTrust: {
    method: 'DELETE',
    path: '/api/workspaces/:id/trust',
    summary: 'Trust a workspace no longer',
    scope: 'admin',
    params: record,
  },

  searchWorkspaceFiles: {
    method: 'GET',
    path: '/api/workspaces/:id/files',
    summary: 'Files of a workspace whose path fits, best first: for mentions',
    scope: 'read',
    params: record,
    query: fileQuery,
    response: foundFilesSchema,
  },

  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'Sessions of this machine, newest first',
    scope: 'read',
    query: z.object({
      workspace_id: recordIdSchema.optional(),
      origin: z.enum(['dorkos', 'terminal']).optional(),
      live: flag.optional(),
      archived: flag.optional(),
      pinned: flag.optional(),
      cursor: z.string().max(200).optional(),
      limit: limit(200, 50),
    }),
    response: z.object({ sessions: z.array(sessionSchema), cursor: z.string().optional() }),
  },
  createSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Start a session, with its first message if given',
    scope: 'chat',
    body: newSessionBody,
    response: z.object({ session: sessionSchema, message: acceptedMessageSchema.optional() }),
    status: 201,
    idempotent: true,
    bodyLimit: 32 * 1024 * 1024,
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'One session',
    scope: 'read',
    params: session,
    response: sessionSchema,
  },
  changeSession: {
    method: 'PATCH',
    path: '/api/sessions/:id',
    summary: 'Title, archive, pin, model, permission mode, limits',
    scope: 'chat',
    params: session,
    body: sessionChangeBody,
    response: sessionSchema,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'End the session and delete its transcript and records',
    scope: 'admin',
    params: session,
  },

  sendMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages',
    summary: 'Send a message: on disk before the answer, run in order',
    scope: 'chat',
    params: session,
    body: sendBody,
    response: acceptedMessageSchema,
    status: 202,
    stream: 'accept',
    idempotent: true,
    bodyLimit: 32 * 1024 * 1024,
  },
  listTurns: {
    method: 'GET',
    path: '/api/sessions/:id/turns',
    summary: 'Turns, newest first: queued, running and ended',
    scope: 'read',
    params: session,
    query: z.object({
      state: z.enum(['queued', 'claimed', 'running', 'ended']).optional(),
      limit: limit(500, 50),
    }),
    response: z.object({ turns: z.array(turnSchema) }),
  },
  editMessage: {
    method: 'PATCH',
    path: '/api/sessions/:id/messages/:messageId',
    summary: 'Change a message that still waits',
    scope: 'chat',
    params: message,
    body: z.strictObject({ content: messageContentSchema }),
    response: turnSchema,
    bodyLimit: 32 * 1024 * 1024,
  },
  withdrawMessage: {
    method: 'DELETE',
    path: '/api/sessions/:id/messages/:messageId',
    summary: 'Take back a message that still waits',
    scope: 'chat',
    params: message,
    response: turnSchema,
  },
  steerMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/steer',
    summary: 'Put a waiting message into the running turn',
    scope: 'chat',
    params: message,
    body: empty,
    response: turnSchema,
  },
  settleMessage: {
    method: 'POST',
    path: '/api/sessions/:id/messages/:messageId/settle',
    summary: 'Decide about a message that may or may not have run before a crash',
    scope: 'chat',
    params: message,
    body: z.strictObject({ action: z.enum(['run', 'drop']) }),
    response: turnSchema,
  },

  startSession: {
    method: 'POST',
    path: '/api/sessions/:id/start',
    summary: 'Start or resume the CLI process',
    scope: 'chat',
    params: session,
    body: empty,
    response: sessionSchema,
  },
  stopSession: {
    method: 'POST',
    path: '/api/sessions/:id/stop',
    summary: 'End the CLI process; the session can be resumed',
    scope: 'chat',
    params: session,
    body: empty,
    response: sessionSchema,
  },
  interruptSession: {
    method: 'POST',
    path: '/api/sessions/:id/interrupt',
    summary: 'Stop the running turn',
    scope: 'chat',
    params: session,
    body: z.strictObject({ cancel_queued: z.boolean().default(false) }),
    response: sessionSchema,
  },
  pauseSession: {
    method: 'POST',
    path: '/api/sessions/:id/pause',
    summary: 'Hold tool calls and waiting messages',
    scope: 'chat',
    params: session,
    body: empty,
    response: sessionSchema,
  },
  resumeSession: {
    method: 'POST',
    path: '/api/sessions/:id/resume',
    summary: 'Go on after a pause',
    scope: 'chat',
    params: session,
    body: empty,
    response: sessionSchema,
  },
  forkSession: {
    method: 'POST',
    path: '/api/sessions/:id/fork',
    summary: 'A new session that begins as this one, up to a message',
    scope: 'chat',
    params: session,
    body: z.strictObject({
      /** The last message that the fork has: of a person's message the id, of an answer its `message_id`. */
      message_id: z.string().min(1).max(100).optional(),
      title: z.string().min(1).max(200).optional(),
    }),
    response: sessionSchema,
    status: 201,
  },
  rewindFiles: {
    method: 'POST',
    path: '/api/sessions/:id/rewind',
    summary: 'Put files back as they were before a message',
    scope: 'approve',
    params: session,
    body: z.strictObject({ message_id: uuidSchema, dry_run: z.boolean().default(false) }),
    response: z.object({
      can_rewind: z.boolean(),
      files: z.array(z.string()),
      insertions: z.number().optional(),
      deletions: z.number().optional(),
      reason: z.string().optional(),
    }),
  },
  getHistory: {
    method: 'GET',
    path: '/api/sessions/:id/history',
    summary: 'What was said, in pages from the end',
    scope: 'read',
    params: session,
    query: z.object({ before: z.string().max(500).optional(), limit: limit(500, 50) }),
    response: historyPageSchema,
  },
  exportSession: {
    method: 'GET',
    path: '/api/sessions/:id/export',
    summary: 'The whole conversation as Markdown or JSON',
    scope: 'read',
    params: session,
    query: z.object({ format: z.enum(['markdown', 'json']).default('markdown') }),
    file: true,
    response: z.string(),
  },
  getCapabilities: {
    method: 'GET',
    path: '/api/sessions/:id/capabilities',
    summary: 'Commands, models, agents and tools of a live session',
    scope: 'read',
    params: session,
    response: z.object({
      commands: z.array(z.unknown()),
      models: z.array(z.unknown()),
      agents: z.array(z.unknown()),
      mcp_servers: z.array(z.unknown()),
    }),
  },
  searchSessionFiles: {
    method: 'GET',
    path: '/api/sessions/:id/files',
    summary: 'Files of the session’s directory whose path fits, best first: for mentions',
    scope: 'read',
    params: session,
    query: fileQuery,
    response: foundFilesSchema,
  },
  getContextUsage: {
    method: 'GET',
    path: '/api/sessions/:id/context',
    summary: 'How full the context of a live session is',
    scope: 'read',
    params: session,
    response: z.record(z.string(), z.unknown()),
  },
  followSession: {
    method: 'GET',
    path: '/api/sessions/:id/events',
    summary: 'Events of one session: snapshot or replay, then live',
    scope: 'read',
    params: session,
    stream: 'always',
    response: z.string(),
  },
  followAll: {
    method: 'GET',
    path: '/api/events',
    summary: 'Events of several sessions and of the server on one stream',
    scope: 'read',
    query: z.object({
      /** Session ids, separated by commas. */
      sessions: z.string().max(4000).optional(),
      /** Those of them that the client has up to its cursor; the others begin with a snapshot. Default: all. */
      known: z.string().max(4000).optional(),
    }),
    stream: 'always',
    response: z.string(),
  },
  searchSessions: {
    method: 'GET',
    path: '/api/search',
    summary: 'Full-text search over all transcripts',
    scope: 'read',
    query: z.object({ q: z.string().min(1).max(500), limit: limit(100, 20) }),
    response: z.object({
      hits: z.array(
        z.object({
          session_id: sessionIdSchema,
          /** As the session's events have it. */
          message_id: z.string().optional(),
          role: z.string(),
          snippet: z.string(),
          time: timeSchema.optional(),
        }),
      ),
      /** False while the index is still reading. */
      complete: z.boolean(),
    }),
  },

  listApprovals: {
    method: 'GET',
    path: '/api/approvals',
    summary: 'Approvals and questions; open ones unless asked',
    scope: 'read',
    query: z.object({
      state: approvalStateSchema.or(z.literal('all')).default('pending'),
      session_id: sessionIdSchema.optional(),
      limit: limit(500, 100),
    }),
    response: z.object({ approvals: z.array(approvalSchema), server_time: timeSchema }),
  },
  getApproval: {
    method: 'GET',
    path: '/api/approvals/:id',
    summary: 'One approval',
    scope: 'read',
    params: record,
    response: approvalSchema,
  },
  answerApproval: {
    method: 'POST',
    path: '/api/approvals/:id/answer',
    summary: 'Answer; the first answer wins',
    scope: 'approve',
    params: record,
    body: approvalAnswerSchema,
    response: approvalSchema,
  },

  listRules: {
    method: 'GET',
    path: '/api/rules',
    summary: 'Standing answers',
    scope: 'read',
    query: z.object({ revoked: flag.optional() }),
    response: z.object({ rules: z.array(ruleSchema) }),
  },
  createRule: {
    method: 'POST',
    path: '/api/rules',
    summary: 'Add a standing answer',
    scope: 'admin',
    body: newRuleSchema,
    response: ruleSchema,
    status: 201,
  },
  changeRule: {
    method: 'PATCH',
    path: '/api/rules/:id',
    summary: 'Change what a rule matches or where it holds',
    scope: 'admin',
    params: record,
    body: newRuleSchema.partial(),
    response: ruleSchema,
  },
  revokeRule: {
    method: 'DELETE',
    path: '/api/rules/:id',
    summary: 'Revoke a rule',
    scope: 'approve',
    params: record,
  },

  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'The audit log, newest first',
    scope: 'admin',
    query: z.object({
      session_id: sessionIdSchema.optional(),
      tool: z.string().max(200).optional(),
      action: z.string().max(100).optional(),
      before: z.coerce.number().int().optional(),
      limit: limit(1000, 100),
    }),
    response: z.object({ entries: z.array(auditEntrySchema), before: z.number().int().optional() }),
  },
  verifyAudit: {
    method: 'GET',
    path: '/api/audit/verify',
    summary: 'Check the chain of hashes of the audit log',
    scope: 'admin',
    response: z.object({
      intact: z.boolean(),
      entries: z.number().int(),
      first_fault: z.number().int().optional(),
    }),
  },

  getCosts: {
    method: 'GET',
    path: '/api/costs',
    summary: 'Totals by day, workspace, model or session',
    scope: 'read',
    query: z.object({
      group: z.enum(costGroups).default('day'),
      from: timeSchema.optional(),
      to: timeSchema.optional(),
      demo: flag.optional(),
    }),
    response: costReportSchema,
  },
  listLedger: {
    method: 'GET',
    path: '/api/costs/entries',
    summary: 'Ledger rows, newest first',
    scope: 'read',
    query: z.object({
      session_id: sessionIdSchema.optional(),
      before: z.coerce.number().int().optional(),
      limit: limit(1000, 100),
    }),
    response: z.object({ entries: z.array(ledgerEntrySchema), before: z.number().int().optional() }),
  },
  listBudgets: {
    method: 'GET',
    path: '/api/budgets',
    summary: 'Budgets and what is left of them',
    scope: 'read',
    response: z.object({ budgets: z.array(budgetSchema) }),
  },

  listTools: {
    method: 'GET',
    path: '/api/tools',
    summary: 'The tools that DorkOS gives to every session',
    scope: 'read',
    response: z.object({
      server: z.string(),
      tools: z.array(
        z.object({
          name: z.string(),
          full_name: z.string(),
          description: z.string(),
          input_schema: z.unknown(),
        }),
      ),
    }),
  },

  ...mcpEndpoints,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof endpoints

/** What each endpoint takes and gives, for clients (before parsing) and for routes (after). */
export type EndpointBody<N extends EndpointName> = (typeof endpoints)[N] extends {
  body: infer B extends z.ZodType
}
  ? z.input<B>
  : undefined
export type EndpointQuery<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType
}
  ? z.input<Q>
  : undefined
export type EndpointParams<N extends EndpointName> = (typeof endpoints)[N] extends {
  params: infer P extends z.ZodType
}
  ? z.input<P>
  : undefined
export type EndpointResponse<N extends EndpointName> = (typeof endpoints)[N] extends {
  response: infer R extends z.ZodType
}
  ? z.output<R>
  : undefined
export type ParsedBody<N extends EndpointName> = (typeof endpoints)[N] extends {
  body: infer B extends z.ZodType
}
  ? z.output<B>
  : undefined
export type ParsedQuery<N extends EndpointName> = (typeof endpoints)[N] extends {
  query: infer Q extends z.ZodType
}
  ? z.output<Q>
  : undefined

export type ParsedParams<N extends EndpointName> = (typeof endpoints)[N] extends {
  params: infer P extends z.ZodType
}
  ? z.output<P>
  : undefined

/** Served besides the table, and the page: the documentation of the API. */
export const publicPaths = ['/api/openapi.json', '/api/docs', '/api/docs.css'] as const
