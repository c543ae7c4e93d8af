/** The part of the endpoint table that is about money. */
import { z } from 'zod'
import { budgetSchema, costGroups, costReportSchema, ledgerEntrySchema } from './cost.ts'
import { flag, limit } from './endpoint-fields.ts'
import { sessionIdSchema, timeSchema } from './ids.ts'

export const costEndpoints = {
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
} as const
