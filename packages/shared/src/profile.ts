/** Profiles: an agent that is defined once, in a file that people read, compare and commit. */
import { z } from 'zod'
import { timeSchema } from './ids.ts'
import { profileOriginSchema } from './profile-reference.ts'
import { effortSchema, permissionModeSchema } from './session.ts'

export const profileNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens, such as release-notes')

const toolNames = z.array(z.string().min(1).max(200)).max(500)
const names = z.array(z.string().min(1).max(200)).max(100)

/** An agent that the profile's own agent can hand work to. */
export const profileAgentSchema = z.strictObject({
  description: z.string().min(1).max(2000),
  prompt: z.string().min(1).max(200_000),
  model: z.string().min(1).max(200).optional(),
  effort: effortSchema.optional(),
  tools: toolNames.optional(),
  disallowed_tools: toolNames.optional(),
  skills: names.optional(),
  max_turns: z.number().int().min(1).max(10_000).optional(),
  /** It works beside the one that called it, which hears of its end. */
  background: z.boolean().optional(),
})
export type ProfileAgent = z.infer<typeof profileAgentSchema>

const profileRuleSchema = z.strictObject({
  effect: z.enum(['allow', 'ask', 'deny']),
  tool: z.string().min(1).max(200),
  /** The command, path or input that it is for; `*` stands for anything. Absent: every call of the tool. */
  match: z.string().max(10_000).optional(),
})
export type ProfileRule = z.infer<typeof profileRuleSchema>

const profilePermissionsSchema = z.strictObject({
  mode: permissionModeSchema.optional(),
  rules: z.array(profileRuleSchema).max(500).default([]),
})

const profileLimitsSchema = z.strictObject({
  budget_usd: z.number().min(0.01).max(100_000).optional(),
  max_turns: z.number().int().min(1).max(10_000).optional(),
})

/** A profile as it counts: read, checked, and with everything that its file names. */
export const profileSchema = z.strictObject({
  name: profileNameSchema,
  description: z.string().min(1).max(2000),
  prompt: z.string().max(500_000),
  /** Whether the prompt stands in place of Claude Code's own, or behind it. */
  prompt_mode: z.enum(['replace', 'append']),
  model: z.string().min(1).max(200).optional(),
  fallback_model: z.string().min(1).max(200).optional(),
  effort: effortSchema.optional(),
  /** Exactly these built-in tools. Absent: Claude Code's own choice. */
  tools: toolNames.optional(),
  disallowed_tools: toolNames.optional(),
  /** Only these of the workspace's MCP servers, by name. Absent: all. */
  mcp_servers: names.optional(),
  skills: names.optional(),
  agents: z.record(z.string(), profileAgentSchema).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  permissions: profilePermissionsSchema,
  limits: profileLimitsSchema,
})
export type Profile = z.infer<typeof profileSchema>

/** What is wrong in a profile's file, and where. */
const profileFaultSchema = z.object({
  /** From 1, in the file. */
  line: z.number().int().min(1),
  /** The key, with dots; absent where it is about the file. */
  path: z.string().optional(),
  message: z.string(),
})
export type ProfileFault = z.infer<typeof profileFaultSchema>

export const profileEntrySchema = z.object({
  name: z.string(),
  origin: profileOriginSchema,
  workspace_id: z.string().optional(),
  /** Absolute; absent for what comes with DorkOS. */
  file: z.string().optional(),
  description: z.string().optional(),
  /** SHA-256 of the file. */
  digest: z.string(),
  changed_at: timeSchema.optional(),
  /** With one of these it cannot be used. */
  faults: z.array(profileFaultSchema),
  /** The workspace is not trusted as it is, so what its file says does not count. */
  untrusted: z.boolean(),
  /** Another profile of the same name counts in its place. */
  overridden_by: profileOriginSchema.optional(),
})
export type ProfileEntry = z.infer<typeof profileEntrySchema>

export const profileDetailsSchema = profileEntrySchema.extend({
  text: z.string(),
  /** Absent where there are faults. */
  profile: profileSchema.optional(),
})
export type ProfileDetails = z.infer<typeof profileDetailsSchema>

/** What a new profile begins with. */
export const newProfileText = (name: string): string => `---
name: ${name}
description: What this agent is for
# model: sonnet
# tools: [Read, Grep, Glob]
prompt: append
permissions:
  mode: default
limits: { max_turns: 50 }
---

What the agent should do, and what it should report.
`
