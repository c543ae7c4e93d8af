/** A turn's rows of the ledger, from the CLI's `result` message. Pure. */
import type { CliMessage } from '../ports/agent.ts'
import type { NewLedgerEntry } from '../ports/records.ts'
import {
  amount,
  count,
  type Figures,
  type ModelUsage,
  nothing,
  readUsage,
  sum,
  usageSince,
} from './usage-figures.ts'

/** What all rows of a turn have in common. */
export type TurnFacts = Pick<NewLedgerEntry, 'time' | 'session_id' | 'turn_id' | 'principal' | 'demo'> & {
  workspace_id: string | undefined
}

export interface TurnUsage {
  /** Of this turn alone. */
  used: ModelUsage
  /** Where the process stands after it. */
  total: ModelUsage
}

/**
 * What a turn used. The CLI reports it as `model_usage_since_last_result`; where it does not, the turn is the difference of
 * `modelUsage` to what the same process had reported before.
 */
export function usageOfTurn(result: CliMessage, before: ModelUsage): TurnUsage {
  const total = readUsage(result.modelUsage)
  const used = readUsage(result.model_usage_since_last_result)
  if (used) return { used, total: total ?? before }
  if (total) return { used: usageSince(before, total), total }
  // No figures by model at all: what the whole process cost is better than nothing.
  const whole: ModelUsage = new Map([[unnamed, { ...nothing, usd: amount(result.total_cost_usd) }]])
  return { used: usageSince(before, whole), total: whole }
}

/** Where the CLI does not say which model it was, or a turn ended before any was asked. */
const unnamed = 'none'

/** One row a model; one of zeros for a turn that used none, so that every turn is in the ledger. Demo models cost nothing. */
export function ledgerRows(facts: TurnFacts, used: ModelUsage, durationMs: number): NewLedgerEntry[] {
  const { workspace_id, ...common } = facts
  const figures: [string, Figures][] = used.size > 0 ? [...used] : [[unnamed, nothing]]
  return figures.map(([model, { usd, tokens }]) => ({
    ...common,
    ...(workspace_id !== undefined && { workspace_id }),
    model,
    usd: facts.demo ? 0 : usd,
    tokens,
    duration_ms: durationMs,
  }))
}

export function durationOf(result: CliMessage): number {
  return typeof result.duration_ms === 'number' ? count(Math.round(result.duration_ms)) : 0
}

export function totalOf(rows: readonly NewLedgerEntry[]): Figures {
  return sum(rows)
}
