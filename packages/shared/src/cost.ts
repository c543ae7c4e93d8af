/** What turns cost, by the CLI's own figures. */
import { z } from 'zod'
import { sessionIdSchema, timeSchema } from './ids.ts'

export const tokenCountsSchema = z.object({
  input: z.number().int(),
  output: z.number().int(),
  cache_read: z.number().int(),
  cache_write: z.number().int(),
})
export type TokenCounts = z.infer<typeof tokenCountsSchema>

/** What a session has cost, as its newest turn left it. */
export const sessionCostSchema = z.object({
  turn_id: z.string().optional(),
  turn_usd: z.number(),
  session_usd: z.number(),
  day_usd: z.number(),
  tokens: tokenCountsSchema,
  demo: z.boolean(),
  /** Set from 80 % of a budget on. */
  budget: z
    .object({
      kind: z.enum(['session', 'day']),
      limit_usd: z.number(),
      used: z.number(),
      reached: z.boolean(),
    })
    .optional(),
})
export type SessionCost = z.infer<typeof sessionCostSchema>

/** How much of the model's own limit is used: of a subscription, or of a key. */
export const rateLimitSchema = z.object({
  status: z.string(),
  kind: z.string().optional(),
  resets_at: timeSchema.optional(),
  utilization: z.number().optional(),
})
export type RateLimit = z.infer<typeof rateLimitSchema>

/** One turn and one model. */
export const ledgerEntrySchema = z.object({
  id: z.number().int(),
  time: timeSchema,
  session_id: sessionIdSchema,
  turn_id: z.string(),
  workspace_id: z.string().optional(),
  principal: z.string(),
  model: z.string(),
  usd: z.number(),
  tokens: tokenCountsSchema,
  duration_ms: z.number().int(),
  demo: z.boolean(),
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>

export const costGroups = ['day', 'workspace', 'model', 'session'] as const

const costTotalSchema = z.object({
  key: z.string(),
  usd: z.number(),
  tokens: tokenCountsSchema,
  turns: z.number().int(),
})
export type CostTotal = z.infer<typeof costTotalSchema>

export const costReportSchema = z.object({
  group: z.enum(costGroups),
  totals: z.array(costTotalSchema),
  total: z.object({ usd: z.number(), tokens: tokenCountsSchema, turns: z.number().int() }),
})

export const budgetSchema = z.object({
  kind: z.enum(['session', 'day']),
  session_id: sessionIdSchema.optional(),
  limit_usd: z.number(),
  used_usd: z.number(),
  state: z.enum(['ok', 'warning', 'reached']),
})
export type Budget = z.infer<typeof budgetSchema>
