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
