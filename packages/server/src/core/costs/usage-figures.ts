/** The CLI's figures of what was used, by model: read from its messages, compared, and summed up. Pure. */
import type { TokenCounts } from '@dorkos/shared'

export interface Figures {
  usd: number
  tokens: TokenCounts
}

/** By model. What the CLI reports is cumulative over a process, and goes on where a resumed or forked conversation was. */
export type ModelUsage = ReadonlyMap<string, Figures>

export const nothing: Figures = { usd: 0, tokens: { input: 0, output: 0, cache_read: 0, cache_write: 0 } }

/** Reads `modelUsage` and its likes; undefined when it is not one. Figures that are no sane numbers count as 0. */
export function readUsage(raw: unknown): ModelUsage | undefined {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined
  return new Map(Object.entries(raw).map(([model, figures]) => [model, readFigures(figures)]))
}

function readFigures(raw: unknown): Figures {
  const given = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  return {
    usd: amount(given.costUSD),
    tokens: {
      input: count(given.inputTokens),
      output: count(given.outputTokens),
      cache_read: count(given.cacheReadInputTokens),
      cache_write: count(given.cacheCreationInputTokens),
    },
  }
}

/** Dollars that make sense, without the dust of binary fractions. */
export function amount(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return 0
  return Math.round(value * 1e9) / 1e9
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/**
 * What came on top since `before`. A model whose figures went down was counted anew (`/clear` does that), so all of them
 * are new.
 */
export function usageSince(before: ModelUsage, after: ModelUsage): ModelUsage {
  const added = [...after].map(([model, now]): [string, Figures] => {
    const then = before.get(model) ?? nothing
    return [model, isAtLeast(now, then) ? subtract(now, then) : now]
  })
  return new Map(added.filter(([, figures]) => !isNothing(figures)))
}

export function sum(figures: Iterable<Figures>): Figures {
  let total = nothing
  for (const one of figures) total = combine(total, one, (a, b) => a + b)
  return total
}

function subtract(a: Figures, b: Figures): Figures {
  return combine(a, b, (x, y) => x - y)
}

function combine(a: Figures, b: Figures, each: (a: number, b: number) => number): Figures {
  return {
    usd: amount(each(a.usd, b.usd)),
    tokens: {
      input: each(a.tokens.input, b.tokens.input),
      output: each(a.tokens.output, b.tokens.output),
      cache_read: each(a.tokens.cache_read, b.tokens.cache_read),
      cache_write: each(a.tokens.cache_write, b.tokens.cache_write),
    },
  }
}

function numbers({ usd, tokens }: Figures): number[] {
  return [usd, tokens.input, tokens.output, tokens.cache_read, tokens.cache_write]
}

/** Dollars are compared with the dust left out. */
function isAtLeast(a: Figures, b: Figures): boolean {
  const then = numbers(b)
  return numbers(a).every((value, index) => value >= (then[index] ?? 0) - 1e-9)
}

function isNothing(figures: Figures): boolean {
  return numbers(figures).every((value) => value === 0)
}
