/** Sessions, their turns and messages. */
import { z } from 'zod'
import { eventIdSchema, sessionIdSchema, timeSchema, uuidSchema } from './ids.ts'
import { frozenProfileSchema } from './profile-reference.ts'
import { saidSchema } from './words/said.ts'

export const permissionModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const
export const permissionModeSchema = z.enum(permissionModes)
export type PermissionMode = z.infer<typeof permissionModeSchema>

/** How hard the model thinks. Which levels there are depends on the model: `models` of `GET …/capabilities` says. */
export const effortLevels = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export const effortSchema = z.enum(effortLevels)
export type Effort = z.infer<typeof effortSchema>

/**
 * `working`: a turn runs. `waiting`: it needs a person. `idle`: nothing to do. `paused`: held by a person.
 * `interrupted`: the last turn was cut off (by a person or a crash). `failed`: the last turn or the process failed.
 */
export const sessionActivities = ['idle', 'working', 'waiting', 'paused', 'interrupted', 'failed'] as const
export const sessionActivitySchema = z.enum(sessionActivities)
export type SessionActivity = z.infer<typeof sessionActivitySchema>

/** The CLI writes `needs-auth`, and so do events that were stored before there was one spelling. */
export function readMcpStatus(said: unknown): unknown {
  return said === 'needs-auth' ? 'needs_auth' : said
}

export const mcpServerHealthSchema = z.object({
  name: z.string(),
  status: z.preprocess(readMcpStatus, z.enum(['connected', 'failed', 'needs_auth', 'pending', 'disabled'])),
  error: z.string().optional(),
  tool_count: z.number().int().optional(),
})
export type McpServerHealth = z.infer<typeof mcpServerHealthSchema>

/** How a turn ended. `unconfirmed`: the server stopped between sending the message and the CLI's record of it; a person decides. */
export const turnOutcomes = [
  'completed',
  'interrupted',
  'failed',
  'max_turns',
  'budget',
  'structured_output_failed',
  'joined',
  'withdrawn',
  'unconfirmed',
] as const
export const turnOutcomeSchema = z.enum(turnOutcomes)
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>

/** One conversation, started here or in a terminal. Fields that only the index knows are absent until it has read the file. */
export const sessionSchema = z.object({
  id: sessionIdSchema,
  title: z.string().optional(),
  first_prompt: z.string().optional(),
  workspace_id: z.string().optional(),
  cwd: z.string(),
  /** `terminal`: DorkOS has not run it (yet). */
  origin: z.enum(['dorkos', 'terminal']),
  state: sessionActivitySchema,
  /** How its last turn ended; absent before one did. */
  last_outcome: turnOutcomeSchema.optional(),
  /** Its CLI process is running now, under this server. */
  live: z.boolean(),
  /** A CLI that is not ours works on the transcript: fork instead of sending. */
  in_use_elsewhere: z.boolean().optional(),
  model: z.string().optional(),
  /** Absent: the model's own. */
  effort: effortSchema.optional(),
  permission_mode: permissionModeSchema,
  branch: z.string().optional(),
  created_at: timeSchema,
  /** When something was last said or done in it: a message, the begin or end of a turn. A rename or a pin is neither. */
  updated_at: timeSchema,
  message_count: z.number().int().optional(),
  archived: z.boolean(),
  pinned: z.boolean(),
  /** Nobody watches: what no rule answers is denied at once. */
  unattended: z.boolean(),
  /** It works outside of any workspace, and only a token that cannot approve asked for that: every tool call asks until a person confirms the folder. */
  needs_folder_confirmation: z.boolean().optional(),
  max_turns: z.number().int().optional(),
  budget_usd: z.number().optional(),
  cost_usd: z.number().optional(),
  /** The profile that it was started with, as it was then. */
  profile: frozenProfileSchema.optional(),
  /** Answered by the demo model. */
  demo: z.boolean(),
  forked_from: sessionIdSchema.optional(),
  /** The ids that the CLI used for it, oldest first. */
  cli_session_ids: z.array(z.string()),
  pending_approvals: z.number().int(),
  queued_messages: z.number().int(),
  /** A person stopped the agent while messages waited: none of them runs until somebody says so. */
  queue_held: z.boolean().optional(),
})
export type Session = z.infer<typeof sessionSchema>

export const contentBlockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string().max(1_000_000) }),
  z.object({
    type: z.enum(['image', 'document']),
    source: z.object({
      type: z.literal('base64'),
      media_type: z.string().max(100),
      data: z.string().max(20_000_000),
    }),
    title: z.string().max(500).optional(),
  }),
])
export const messageContentSchema = z.union([
  z.string().min(1).max(1_000_000),
  z.array(contentBlockSchema).min(1).max(50),
])
export type MessageContent = z.infer<typeof messageContentSchema>

/**
 * Why a turn was cut off, or did nothing, for programs. `person`: somebody stopped it. `server_restart`: the server stopped before it was over.
 * `process_ended`: the agent's process ended. `not_started`: it could not be started. `session_budget`, `day_budget`: which budget
 * is used up. `not_allowed`: the agent's process did, or had loaded, what nobody allowed, and was ended.
 * `all_denied`: it completed, and every tool call that it made was denied.
 */
export const turnReasonCodes = [
  'person',
  'server_restart',
  'process_ended',
  'not_started',
  'session_budget',
  'day_budget',
  'not_allowed',
  'all_denied',
] as const
export const turnReasonCodeSchema = z.enum(turnReasonCodes)
export type TurnReasonCode = z.infer<typeof turnReasonCodeSchema>

const turnStateSchema = z.enum(['queued', 'claimed', 'running', 'ended'])
export type TurnState = z.infer<typeof turnStateSchema>

/**
 * Why a turn began: somebody's message; one put into a turn that ran; background work that woke the agent; a schedule, a run or a
 * workflow; work that was cut off and is taken up again (nothing is, so far, without a person's word).
 */
export const turnCauses = [
  'message',
  'steer',
  'background',
  'schedule',
  'run',
  'workflow',
  'recovery',
] as const
export const turnCauseSchema = z.enum(turnCauses)
export type TurnCause = z.infer<typeof turnCauseSchema>

/** A turn: queued → claimed → running → ended. One that a message causes has that message's uuid as its id. */
export const turnSchema = z.object({
  id: uuidSchema,
  session_id: sessionIdSchema,
  cause: turnCauseSchema,
  state: turnStateSchema,
  content: messageContentSchema.optional(),
  /** It waited when a person stopped the agent: nothing in its queue runs until somebody says so. */
  held: z.boolean().optional(),
  outcome: turnOutcomeSchema.optional(),
  /** Why it ended, in words. */
  reason: z.string().optional(),
  reason_code: turnReasonCodeSchema.optional(),
  said: saidSchema.optional(),
  /** The turn that took this message in, when the outcome is `joined`. */
  joined_turn: uuidSchema.optional(),
  /** The turn whose message this one was sent in place of: once this one began, that turn and all after it are no part of the conversation. */
  replaces: uuidSchema.optional(),
  structured_output: z.unknown().optional(),
  principal: z.string(),
  created_at: timeSchema,
  started_at: timeSchema.optional(),
  ended_at: timeSchema.optional(),
})
export type Turn = z.infer<typeof turnSchema>

/** Whether a person holds the messages that wait: one that is held holds all, whichever of them comes first. */
export function isQueueHeld(queue: readonly Turn[]): boolean {
  return queue.some(({ held }) => held === true)
}

/** What `POST …/messages` answers: the message is on disk, and will run. */
export const acceptedMessageSchema = z.object({
  turn: turnSchema,
  /** Where the session's event log stood: follow from here to see all that the message causes. */
  after: eventIdSchema.optional(),
})
export type AcceptedMessage = z.infer<typeof acceptedMessageSchema>
