/** Approvals: an agent wants something, a person or a rule answers, and the record stays. Rules that answer ahead. */
import { z } from 'zod'
import { recordIdSchema, sessionIdSchema, timeSchema, uuidSchema } from './ids.ts'
import { saidSchema } from './words/said.ts'

export const approvalKinds = ['tool', 'question', 'plan', 'elicitation'] as const
const approvalKindSchema = z.enum(approvalKinds)
export type ApprovalKind = z.infer<typeof approvalKindSchema>

/** `void`: nobody can answer any more (server restart, turn interrupted); nothing ran. */
export const approvalStates = ['pending', 'allowed', 'denied', 'expired', 'void'] as const
export const approvalStateSchema = z.enum(approvalStates)
export type ApprovalState = z.infer<typeof approvalStateSchema>

/** What a call can do if it goes wrong: only look, change files, run anything, reach out, change DorkOS itself. */
const riskSchema = z.enum(['read', 'write', 'execute', 'network', 'admin', 'unknown'])
export type Risk = z.infer<typeof riskSchema>

export const deciderKinds = [
  'person',
  'rule',
  'mode',
  'deadline',
  'server',
  'cli',
  'unattended',
  'hook',
  'agent',
  'schedule',
] as const

/** Who or what decided. `from`: the address. */
export const deciderSchema = z.object({
  kind: z.enum(deciderKinds),
  principal: z.string().optional(),
  token_id: z.string().optional(),
  token_name: z.string().optional(),
  /** Of an agent that acted by itself. */
  session_id: z.string().optional(),
  schedule_id: z.string().optional(),
  rule_id: z.string().optional(),
  /** What the rule was for when it decided, such as `Bash(npm test)`: it may have been changed or revoked since. */
  rule_name: z.string().optional(),
  /** What the hook runs, and the digest that the consent was given to. */
  hook_name: z.string().optional(),
  hook_digest: z.string().optional(),
  from: z.string().optional(),
})
export type Decider = z.infer<typeof deciderSchema>

/** Where "allow" holds from now on, by a rule: in the session, `always` in the workspace, or everywhere. `once` makes none. */
export const allowScopeSchema = z.enum(['once', 'session', 'always', 'everywhere'])
export type AllowScope = z.infer<typeof allowScopeSchema>

/**
 * What the rule of a lasting answer is for: exactly this `call`; the tool while these top-level `fields` of the input stay as they are;
 * commands with the `prefix` that the approval proposes; the `tool` whatever its input.
 */
const coversSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call') }),
  z.object({ kind: z.literal('fields'), fields: z.array(z.string()).min(1).max(1000) }),
  z.object({ kind: z.literal('prefix') }),
  z.object({ kind: z.literal('tool') }),
])
export type Covers = z.infer<typeof coversSchema>

const proposedRuleSchema = z.object({
  tool: z.string(),
  /** What a rule for exactly this call compares. */
  match: z.string().optional(),
  /** The widest scope that needs no more than the right to approve: `workspace`, or `session` where there is none. */
  scope: z.string(),
  /** The fields of the input that a rule can hold fixed. Where this is present, a rule can also be for the whole tool. */
  fields: z.array(z.string()).optional(),
  /** The rule of Claude Code's own that it proposes for commands like this one, such as `npm test *`. */
  prefix: z.string().optional(),
})
export type ProposedRule = z.infer<typeof proposedRuleSchema>

export const approvalSchema = z.object({
  id: recordIdSchema,
  kind: approvalKindSchema,
  session_id: sessionIdSchema,
  workspace_id: z.string().optional(),
  principal: z.string(),
  turn_id: uuidSchema.optional(),
  tool_call_id: z.string().optional(),
  tool: z.string(),
  /** The whole input, as the agent gave it. For a question: its `questions`; for a plan: its `plan`. */
  input: z.record(z.string(), z.unknown()),
  /** SHA-256 of the input: what an answer is bound to. */
  input_hash: z.string(),
  risk: riskSchema,
  /** Why the CLI asks, where it says so. */
  reason: z.string().optional(),
  /** The rules that a lasting answer could make, to show before one is made. */
  proposed_rule: proposedRuleSchema.optional(),
  state: approvalStateSchema,
  created_at: timeSchema,
  deadline: timeSchema,
  decided_at: timeSchema.optional(),
  decided_by: deciderSchema.optional(),
  /** The message to the agent with a denial, or why it is void. */
  message: z.string().optional(),
  said: saidSchema.optional(),
  /** The input was edited before it was allowed. */
  edited: z.boolean().optional(),
  /** What ran instead, where the input was edited; left out when it is very large (the audit log records it). */
  updated_input: z.record(z.string(), z.unknown()).optional(),
  /** Where a person's "allow" holds; of tool calls only. */
  scope: allowScopeSchema.optional(),
  /** The rule that the answer made. */
  rule_id: z.string().optional(),
  /** The answers to a question or elicitation. */
  answer: z.unknown().optional(),
})
export type Approval = z.infer<typeof approvalSchema>

export const approvalAnswerSchema = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('allow'),
    scope: allowScopeSchema.default('once'),
    /** What a lasting scope is for. Absent: exactly this call. */
    covers: coversSchema.optional(),
    /** Runs this instead. */
    updated_input: z.record(z.string(), z.unknown()).optional(),
    /** For a question: the chosen answer (or answers) by question text. For an elicitation: the form's content. */
    answers: z.record(z.string(), z.unknown()).optional(),
    /** For a plan: the mode to go on in. */
    permission_mode: z.enum(['default', 'acceptEdits']).optional(),
  }),
  z.object({
    decision: z.literal('deny'),
    message: z.string().max(10_000).optional(),
    /** Also stops the turn. */
    interrupt: z.boolean().optional(),
    /** For a form of an MCP server: closed without a yes or a no (`cancel` to the server, where a plain denial is `decline`). */
    dismiss: z.boolean().optional(),
  }),
])
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>

const ruleScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), session_id: sessionIdSchema }),
  z.object({ kind: z.literal('workspace'), workspace_id: z.string() }),
  z.object({ kind: z.literal('everywhere') }),
])
export type RuleScope = z.infer<typeof ruleScopeSchema>

/** An answer to tool calls that was given once and holds. Deny beats ask beats allow. */
export const ruleSchema = z.object({
  id: z.string(),
  effect: z.enum(['allow', 'deny', 'ask']),
  /** The tool's whole name, such as `Bash` or `mcp__dorkos__ping`. */
  tool: z.string(),
  /** The exact command, path or input that it is for. Absent: every call of the tool. */
  match: z.string().optional(),
  /** True only in rules of the configuration file and of profiles: `match` may hold `*`. */
  pattern: z.boolean().optional(),
  /** Only these fields of the input are compared: `match` is their canonical JSON, and the other fields may be anything. */
  fields: z.array(z.string()).optional(),
  /** `match` is a rule of Claude Code's own, such as `npm test *`, and Claude Code alone matches it. Allows, and only `Bash`. */
  prefix: z.boolean().optional(),
  scope: ruleScopeSchema,
  origin: z.enum(['approval', 'api', 'configuration', 'profile']),
  principal: z.string(),
  created_at: timeSchema,
  revoked_at: timeSchema.optional(),
})
export type Rule = z.infer<typeof ruleSchema>

export const newRuleSchema = z.object({
  effect: z.enum(['allow', 'deny', 'ask']),
  tool: z.string().min(1).max(200),
  match: z.string().max(100_000).optional(),
  scope: ruleScopeSchema,
})

/** One line of the audit log. Lines are only ever added; each carries the hash of the one before. */
export const auditEntrySchema = z.object({
  id: z.number().int(),
  time: timeSchema,
  /** `tool_requested`, `tool_decided`, `tool_finished`, `tool_ran_otherwise` (than decided), or what a person or the server did. */
  action: z.string(),
  session_id: sessionIdSchema.optional(),
  workspace_id: z.string().optional(),
  turn_id: z.string().optional(),
  tool_call_id: z.string().optional(),
  tool: z.string().optional(),
  input: z.unknown().optional(),
  input_hash: z.string().optional(),
  /** Of a decision or a result: the beginning of the command, path or input that the call was about. */
  subject: z.string().optional(),
  permission_mode: z.string().optional(),
  decision: z.enum(['allow', 'deny', 'ask']).optional(),
  decided_by: deciderSchema.optional(),
  approval_id: z.string().optional(),
  principal: z.string(),
  detail: z.unknown().optional(),
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>
