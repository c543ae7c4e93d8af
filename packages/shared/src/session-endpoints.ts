/** The part of the endpoint table that is about sessions: their records, their processes, what was said, and what happens now. */
import { z } from 'zod'
import {
  emptyBody,
  fileQuery,
  flag,
  foundFilesSchema,
  largeBody,
  limit,
  sessionParams,
} from './endpoint-fields.ts'
import { historyPageSchema } from './event.ts'
import { recordIdSchema, sessionIdSchema, timeSchema, uuidSchema } from './ids.ts'
import { profileNameSchema } from './profile.ts'
import {
  acceptedMessageSchema,
  effortSchema,
  messageContentSchema,
  permissionModeSchema,
  sessionSchema,
} from './session.ts'

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
  /** The name of a profile. What is given here besides counts more than what it says. */
  profile: profileNameSchema.optional(),
  /** Answers of the session are JSON of this schema. */
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** The first message. */
  content: messageContentSchema.optional(),
})

/** What decides how a process is started, and how far it is to go. */
const preparedSessionBody = newSessionBody
  .pick({
    workspace_id: true,
    cwd: true,
    model: true,
    effort: true,
    permission_mode: true,
    unattended: true,
    profile: true,
  })
  .extend({
    writing: z
      .boolean()
      .optional()
      .describe(
        'The first message is being written: the process reads its directory now, not when the message comes.',
      ),
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
  /** 0: no limit. null: the configured one. */
  budget_usd: z.number().min(0).max(100_000).nullable().optional(),
  unattended: z.boolean().optional(),
})

/** As many as have room, with a cursor each, in the head of a request. */
export const maxSessionsPerStream = 100

export const sessionEndpoints = {
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
    bodyLimit: largeBody,
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'One session',
    scope: 'read',
    params: sessionParams,
    response: sessionSchema,
  },
  changeSession: {
    method: 'PATCH',
    path: '/api/sessions/:id',
    summary: 'Title, archive, pin, model, permission mode, limits',
    scope: 'chat',
    params: sessionParams,
    body: sessionChangeBody,
    response: sessionSchema,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary: 'End the session and delete its transcript and records',
    scope: 'admin',
    params: sessionParams,
  },

  prepareNewSession: {
    method: 'POST',
    path: '/api/sessions/prepare',
    summary:
      'Say that a session like this may be started soon, so that a process can be ready; again every half a minute',
    scope: 'chat',
    body: preparedSessionBody,
  },
  prepareSession: {
    method: 'POST',
    path: '/api/sessions/:id/prepare',
    summary: 'Say that somebody looks at the session and may write soon; again every half a minute',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
  },
  startSession: {
    method: 'POST',
    path: '/api/sessions/:id/start',
    summary: 'Start or resume the CLI process',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },
  stopSession: {
    method: 'POST',
    path: '/api/sessions/:id/stop',
    summary: 'End the CLI process, and hold the messages that wait; the session can be resumed',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },
  interruptSession: {
    method: 'POST',
    path: '/api/sessions/:id/interrupt',
    summary: 'Stop the running turn, and hold the messages that wait',
    scope: 'chat',
    params: sessionParams,
    body: z.strictObject({
      /** The messages that wait are taken back. */
      cancel_queued: z.boolean().default(false),
      /** They stay, and run when somebody releases the queue or sends another message. False: the next one runs at once. */
      hold_queued: z.boolean().default(true),
    }),
    response: sessionSchema,
  },
  pauseSession: {
    method: 'POST',
    path: '/api/sessions/:id/pause',
    summary: 'Hold tool calls and waiting messages',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },
  resumeSession: {
    method: 'POST',
    path: '/api/sessions/:id/resume',
    summary: 'Go on after a pause',
    scope: 'chat',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },

  forkSession: {
    method: 'POST',
    path: '/api/sessions/:id/fork',
    summary: 'A new session that begins as this one, up to a message',
    scope: 'chat',
    params: sessionParams,
    body: z.strictObject({
      /** The last message that the fork has: of a person's message the id, of an answer its `message_id`. */
      message_id: z.string().min(1).max(100).optional(),
      /** The fork ends right before that message, to say something else in its place. */
      before: z.boolean().default(false),
      title: z.string().min(1).max(200).optional(),
    }),
    response: sessionSchema,
    status: 201,
  },
  confirmFolder: {
    method: 'POST',
    path: '/api/sessions/:id/confirm-folder',
    summary: 'Agents may work in the folder of this session, which is in no workspace',
    scope: 'approve',
    params: sessionParams,
    body: emptyBody,
    response: sessionSchema,
  },
  rewindFiles: {
    method: 'POST',
    path: '/api/sessions/:id/rewind',
    summary: 'Put files back as they were before a message',
    scope: 'approve',
    params: sessionParams,
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
    params: sessionParams,
    query: z.object({ before: z.string().max(500).optional(), limit: limit(500, 50) }),
    response: historyPageSchema,
  },

  getCapabilities: {
    method: 'GET',
    path: '/api/sessions/:id/capabilities',
    summary: 'Commands, models, agents and tools of a live session',
    scope: 'read',
    params: sessionParams,
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
    params: sessionParams,
    query: fileQuery,
    response: foundFilesSchema,
  },
  getContextUsage: {
    method: 'GET',
    path: '/api/sessions/:id/context',
    summary: 'How full the context of a live session is',
    scope: 'read',
    params: sessionParams,
    response: z.record(z.string(), z.unknown()),
  },

  followSession: {
    method: 'GET',
    path: '/api/sessions/:id/events',
    summary: 'Events of one session: snapshot or replay, then live',
    scope: 'read',
    params: sessionParams,
    stream: 'always',
    response: z.string(),
  },
  followAll: {
    method: 'GET',
    path: '/api/events',
    summary: 'Events of several sessions and of the server on one stream',
    scope: 'read',
    query: z.object({
      /** Session ids, separated by commas; at most 100. */
      sessions: z
        .string()
        .max(maxSessionsPerStream * 37 - 1)
        .optional(),
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
} as const
