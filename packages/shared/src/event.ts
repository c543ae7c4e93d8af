/**
 * What happens in a session, as one union. The server maps every message of the CLI (live or from a transcript) and
 * everything around it (turns, approvals, costs) to these; clients only follow. Names are noun, then verb, in snake_case.
 */
import { z } from 'zod'
import { allowScopeSchema, approvalSchema, approvalStateSchema, deciderSchema } from './approval.ts'
import { rateLimitSchema, sessionCostSchema, tokenCountsSchema } from './cost.ts'
import { draftSchema } from './draft.ts'
import { eventIdSchema, sessionIdSchema, timeSchema } from './ids.ts'
import {
  effortSchema,
  mcpServerHealthSchema,
  messageContentSchema,
  permissionModeSchema,
  sessionActivitySchema,
  sessionSchema,
  turnCauseSchema,
  turnOutcomeSchema,
  turnReasonCodeSchema,
  turnSchema,
} from './session.ts'
import { taskSchema } from './task.ts'
import { saidSchema } from './words/said.ts'

const envelope = { id: eventIdSchema, session: sessionIdSchema, time: timeSchema }
/** Where a block of the model's answer belongs. `parent` is the tool call of the subagent that speaks. */
const block = { message_id: z.string(), index: z.number().int(), parent: z.string().optional() }
const toolCall = { tool_call_id: z.string(), parent: z.string().optional() }
/** When it happened by the CLI's own clock: the same live and in the history, as an event's `time` is not. */
const cliTime = { cli_time: timeSchema.optional() }

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ ...envelope, type: z.literal(type), ...shape })
}

export const todoSchema = z.object({
  content: z.string(),
  status: z.string(),
  active_form: z.string().optional(),
  id: z.string().optional(),
})

export const streamEventSchema = z.discriminatedUnion('type', [
  /** The first event of each epoch: a process took the session over. */
  event('session_taken_over', { reason: z.string() }),
  event('session_status', {
    state: sessionActivitySchema,
    live: z.boolean(),
    model: z.string().optional(),
    /** null: the model's own. Absent: nothing is said about it. */
    effort: effortSchema.nullable().optional(),
    permission_mode: permissionModeSchema.optional(),
    cli_session_id: z.string().optional(),
    cwd: z.string().optional(),
    mcp_servers: z.array(mcpServerHealthSchema).optional(),
    background_tasks: z.number().int().optional(),
    reason: z.string().optional(),
  }),
  /** `replaces`: the turn of the message that this one's was sent in place of. It and what came after it are no part of the conversation any more. */
  event('turn_start', { turn_id: z.string(), cause: turnCauseSchema, replaces: z.string().optional() }),
  /** A message to the agent: what starts a turn, or is taken into one. */
  event('user_message', {
    message_id: z.string(),
    turn_id: z.string().optional(),
    content: messageContentSchema.or(z.array(z.looseObject({ type: z.string() }))),
    /** Written by the CLI and not by a person (a summary, a command's output). */
    synthetic: z.boolean().optional(),
    parent: z.string().optional(),
  }),
  event('text_delta', { ...block, text: z.string() }),
  event('thinking_delta', { ...block, text: z.string() }),
  /** A block of thinking is complete; sent where the CLI says how long it took. */
  event('thinking_end', { ...block, duration_ms: z.number() }),
  /** An answer broke off and is asked for again: these blocks, which were already sent, are not part of the conversation. */
  event('blocks_withdrawn', {
    blocks: z.array(z.object({ message_id: z.string(), index: z.number().int() })),
  }),
  event('tool_call_start', { ...toolCall, ...block, name: z.string() }),
  /** A piece of the input's JSON, as it comes. */
  event('tool_call_delta', { ...toolCall, json: z.string() }),
  event('tool_call_end', {
    ...toolCall,
    ...cliTime,
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  /** A rule (or the mode, for what DorkOS itself offers) let the call run, so nobody was asked. */
  event('tool_call_allowed', { ...toolCall, decided_by: deciderSchema, decided_at: timeSchema }),
  /** A rule (or the server itself) denied the call, and nobody was asked. */
  event('tool_call_denied', {
    ...toolCall,
    decided_by: deciderSchema,
    decided_at: timeSchema,
    message: z.string(),
  }),
  event('tool_progress', {
    ...toolCall,
    name: z.string().optional(),
    elapsed_seconds: z.number().optional(),
    text: z.string().optional(),
  }),
  event('tool_result', {
    ...toolCall,
    ...cliTime,
    content: z.array(z.looseObject({ type: z.string() })),
    is_error: z.boolean(),
    /** The result is not the tool's own: the call was denied and never ran, or was cut off with its turn. */
    stopped: z.enum(['denied', 'interrupted']).optional(),
    /** A hook denied it: one of the settings', unless `tool_call_denied` or an approval says that DorkOS did. */
    denied_by: z.literal('hook').optional(),
    /** What the tool itself returned, where the CLI says (a Bash exit code, a diff). */
    detail: z.unknown().optional(),
    /**
     * Bytes of the output that are not in `content`: too large for an event or, where the CLI kept the output in a file of its own
     * and showed the model its beginning, about as many as that file has. `GET …/tool-calls/:toolCallId/output` has all of it.
     */
    omitted_bytes: z.number().int().optional(),
  }),
  event('approval_required', { approval: approvalSchema }),
  event('approval_resolved', {
    approval_id: z.string(),
    tool_call_id: z.string().optional(),
    state: approvalStateSchema,
    decided_at: timeSchema.optional(),
    decided_by: deciderSchema.optional(),
    message: z.string().optional(),
    said: saidSchema.optional(),
    edited: z.boolean().optional(),
    updated_input: z.record(z.string(), z.unknown()).optional(),
    scope: allowScopeSchema.optional(),
    rule_id: z.string().optional(),
  }),
  /** A question of the agent's, a plan to review, or a form of an MCP server. */
  event('question_prompt', { approval: approvalSchema }),
  event('question_resolved', {
    approval_id: z.string(),
    tool_call_id: z.string().optional(),
    state: approvalStateSchema,
    decided_at: timeSchema.optional(),
    decided_by: deciderSchema.optional(),
    message: z.string().optional(),
    said: saidSchema.optional(),
    answer: z.unknown().optional(),
  }),
  event('todo_update', { todos: z.array(todoSchema) }),
  event('subagent_start', {
    ...toolCall,
    task_id: z.string().optional(),
    agent: z.string().optional(),
    description: z.string().optional(),
    background: z.boolean().optional(),
  }),
  event('subagent_end', {
    ...toolCall,
    task_id: z.string().optional(),
    status: z.string(),
    summary: z.string().optional(),
  }),
  /** All that runs besides the answer, and what ended last. Those of an earlier epoch run no more. */
  event('tasks_update', { tasks: z.array(taskSchema) }),
  event('compact_boundary', { trigger: z.string().optional(), tokens_before: z.number().optional() }),
  event('api_retry', {
    attempt: z.number().int(),
    max_attempts: z.number().int().optional(),
    delay_ms: z.number().optional(),
    status: z.number().int().optional(),
    message: z.string().optional(),
  }),
  event('rate_limit', { ...rateLimitSchema.shape, detail: z.unknown().optional() }),
  event('mcp_status', { servers: z.array(mcpServerHealthSchema) }),
  event('cost_update', sessionCostSchema.shape),
  /** Files of the session's directory changed, or were put back: `GET …/changes` has which. */
  event('changes_updated', {}),
  event('queue_update', { queue: z.array(turnSchema) }),
  /** Something went wrong that is no turn's outcome; the session goes on. */
  event('error', {
    code: z.string(),
    message: z.string(),
    said: saidSchema.optional(),
    turn_id: z.string().optional(),
  }),
  /** Something the CLI or the server wants people to know. */
  event('notice', {
    level: z.enum(['info', 'warning']),
    code: z.string(),
    message: z.string(),
    /** What of it is the server's own; absent where the CLI says it. */
    said: saidSchema.optional(),
  }),
  /** A hook of the settings spoke, failed, was cut off, or held the agent up. Silent ones are not reported. */
  event('hook_result', {
    /** Its event, and what that was about: `PostToolUse:Bash`, `Stop`. */
    hook: z.string(),
    outcome: z.enum(['said', 'failed', 'cancelled', 'blocked']),
    /** Its words: cut where they are long, empty where it had none. */
    output: z.string(),
  }),
  event('turn_end', {
    turn_id: z.string(),
    outcome: turnOutcomeSchema,
    /** Ours, or the CLI's. */
    reason: z.string().optional(),
    reason_code: turnReasonCodeSchema.optional(),
    said: saidSchema.optional(),
    duration_ms: z.number().optional(),
    num_turns: z.number().int().optional(),
    tokens: tokenCountsSchema.optional(),
    usd: z.number().optional(),
    structured_output: z.unknown().optional(),
  }),
  /** A message of the CLI that has no event of its own: passed on as it is. */
  event('cli_message', { kind: z.string(), message: z.unknown() }),
])

export type StreamEvent = z.infer<typeof streamEventSchema>
export type StreamEventType = StreamEvent['type']
export type EventOf<T extends StreamEventType> = Extract<StreamEvent, { type: T }>
export const streamEventTypes = streamEventSchema.options.map((option) => option.shape.type.value)

type WithoutEnvelope<E> = E extends StreamEvent ? Omit<E, 'id' | 'session' | 'time'> : never
/** An event before it has an id. */
export type NewEvent = WithoutEnvelope<StreamEvent>

/** What changes outside any one session: the topic that every page follows. */
export const serverEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session_changed'), time: timeSchema, session: sessionSchema }),
  z.object({ type: z.literal('session_deleted'), time: timeSchema, session_id: sessionIdSchema }),
  /** A transcript changed on disk: a session of a terminal, perhaps a new one. */
  z.object({ type: z.literal('transcript_changed'), time: timeSchema, session_id: sessionIdSchema }),
  z.object({ type: z.literal('approval_changed'), time: timeSchema, approval: approvalSchema }),
  z.object({ type: z.literal('workspace_changed'), time: timeSchema, workspace_id: z.string() }),
  /** Of the person who follows, on one of their devices. */
  z.object({ type: z.literal('draft_changed'), time: timeSchema, draft: draftSchema }),
  z.object({ type: z.literal('rules_changed'), time: timeSchema }),
  /** It was made, renamed or revoked. */
  z.object({ type: z.literal('token_changed'), time: timeSchema, token_id: z.string() }),
  /** MCP servers, their health, tools or switches: ask for the list again. */
  z.object({
    type: z.literal('mcp_changed'),
    time: timeSchema,
    /** Not a server's health alone: what is stored of servers changed, such as a switch, an accepted tool or a sign-in. */
    stored: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('config_changed'),
    time: timeSchema,
    keys: z.array(z.string()),
    fault: z.string().optional(),
  }),
  z.object({ type: z.literal('status_changed'), time: timeSchema }),
])
export type ServerEvent = z.infer<typeof serverEventSchema>

/** All that a client needs to show a session it knows nothing of; the events after `at` continue it. */
export const sessionSnapshotSchema = z.object({
  session: sessionSchema,
  /** The newest event that the snapshot holds; absent when the session has none yet. */
  at: eventIdSchema.optional(),
  mcp_servers: z.array(mcpServerHealthSchema),
  todos: z.array(todoSchema),
  /** Commands and subagents that run, and those that ended last; absent where there are none. */
  tasks: z.array(taskSchema).optional(),
  approvals: z.array(approvalSchema),
  queue: z.array(turnSchema),
  /** Messages that the agent was given and has not begun with, while no turn runs. */
  handed: z.array(turnSchema).optional(),
  /** What it has cost, with the totals and budgets of now; absent until its first turn ended. */
  cost: sessionCostSchema.optional(),
  /** What was last reported about the model's own limit. */
  rate_limit: rateLimitSchema.optional(),
  /** Everything since the running turn began; empty when none runs. What came before is in the history. */
  turn: z.array(streamEventSchema),
  /** Pass to `GET …/history` for what came before. */
  history_before: z.string().optional(),
})
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>

export const serverSnapshotSchema = z.object({
  approvals: z.array(approvalSchema),
  sessions: z.array(sessionSchema),
})
export type ServerSnapshot = z.infer<typeof serverSnapshotSchema>

/**
 * The frames of an event stream, named in SSE's `event:` field. `message` carries one event and the `id:` to resume from.
 * `resync`: what the client has cannot be continued without a gap; a snapshot follows. `closing`: the server stops; reconnect.
 * `cursor` is the frame's `id:`, if it has one: what a client resumes its session from (`Last-Event-ID`) once it has the frame. On a
 * stream of several sessions it is that session's alone; `StreamCursor` keeps the newest of each.
 */
export type StreamFrame = { cursor?: string } & (
  | { frame: 'snapshot'; session: string; snapshot: SessionSnapshot }
  | { frame: 'server_snapshot'; snapshot: ServerSnapshot }
  | { frame: 'message'; event: StreamEvent }
  | { frame: 'server'; event: ServerEvent }
  | { frame: 'resync'; session: string | null; reason: string }
  | { frame: 'closing'; retry_ms: number }
)

/** A page of what was said, oldest first, as the same events. */
export const historyPageSchema = z.object({
  events: z.array(streamEventSchema),
  /** For the next older page; absent at the beginning. */
  before: z.string().optional(),
})
export type HistoryPage = z.infer<typeof historyPageSchema>
