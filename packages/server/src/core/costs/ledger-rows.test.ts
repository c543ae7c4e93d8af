import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CliMessage } from '../ports/agent.ts'
import { ledgerRows, totalOf, usageOfTurn } from './ledger-rows.ts'
import { type ModelUsage, readUsage, sum, usageSince } from './usage-figures.ts'

/** One model call: in whole micro dollars and tokens, so that sums are exact. */
const call = fc.record({
  model: fc.constantFrom('opus', 'haiku', 'sonnet'),
  inputTokens: fc.nat(100_000),
  outputTokens: fc.nat(10_000),
  cacheReadInputTokens: fc.nat(100_000),
  cacheCreationInputTokens: fc.nat(10_000),
  micros: fc.nat(1_000_000),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

/** What the CLI would report of these calls. */
function modelUsage(calls: Call[]): Record<string, Record<string, number>> {
  const usage: Record<string, Record<string, number>> = {}
  for (const { model, micros, ...tokens } of calls) {
    usage[model] ??= { costUSD: 0 }
    const entry = usage[model]
    for (const [key, value] of Object.entries(tokens)) entry[key] = (entry[key] ?? 0) + value
    entry.costUSD = (entry.costUSD ?? 0) + micros / 1e6
  }
  return usage
}

const result = (fields: object): CliMessage => ({ type: 'result', subtype: 'success', ...fields })
const facts = {
  time: '2026-01-01T00:00:00.000Z',
  session_id: '11111111-1111-4111-8111-111111111111',
  turn_id: '33333333-3333-4333-8333-333333333333',
  workspace_id: undefined,
  principal: 'owner',
  demo: false,
}

describe('the rows of turns', () => {
  it.each(['with', 'without'])(
    'add up to all that was used, %s the figures since the last result',
    (since) => {
      const turns = fc.array(fc.array(call, { maxLength: 5 }), { minLength: 1, maxLength: 6 })
      fc.assert(
        fc.property(turns, fc.array(call, { maxLength: 4 }), (turns, inherited) => {
          let before: ModelUsage = readUsage(modelUsage(inherited)) ?? new Map()
          const rows = turns.flatMap((calls, index) => {
            const sofar = [...inherited, ...turns.slice(0, index + 1).flat()]
            const reported = result({
              modelUsage: modelUsage(sofar),
              ...(since === 'with' && { model_usage_since_last_result: modelUsage(calls) }),
            })
            const { used, total } = usageOfTurn(reported, before)
            before = total
            return ledgerRows({ ...facts, turn_id: String(index) }, used, 1)
          })
          const expected = sum((readUsage(modelUsage(turns.flat())) ?? new Map()).values())
          const { usd, tokens } = totalOf(rows)
          expect(tokens).toEqual(expected.tokens)
          expect(usd).toBeCloseTo(expected.usd, 8)
          expect(new Set(rows.map(({ turn_id }) => turn_id)).size).toBe(turns.length)
        }),
      )
    },
  )

  it('count anew after /clear, which sets the figures back', () => {
    const one =
      readUsage(modelUsage([{ ...zero, model: 'opus', micros: 500_000, inputTokens: 10 }])) ?? new Map()
    const after =
      readUsage(modelUsage([{ ...zero, model: 'opus', micros: 200_000, inputTokens: 4 }])) ?? new Map()
    expect(usageSince(one, after).get('opus')).toMatchObject({ usd: 0.2, tokens: { input: 4 } })
    expect(usageSince(one, new Map()).size).toBe(0)
  })

  it('are one of zeros for a turn that used nothing', () => {
    const { used } = usageOfTurn(result({ modelUsage: {}, model_usage_since_last_result: {} }), new Map())
    expect(ledgerRows(facts, used, 7)).toEqual([
      expect.objectContaining({ model: 'none', usd: 0, duration_ms: 7, demo: false }),
    ])
  })

  it('fall back on the cost of the whole where there is nothing by model', () => {
    const first = usageOfTurn(result({ total_cost_usd: 0.5 }), new Map())
    const second = usageOfTurn(result({ total_cost_usd: 0.75 }), first.total)
    expect([sum(first.used.values()).usd, sum(second.used.values()).usd]).toEqual([0.5, 0.25])
  })

  it('cost nothing in a demo, and count its tokens', () => {
    const { used } = usageOfTurn(
      result({ model_usage_since_last_result: { opus: { costUSD: 3, inputTokens: 5 } } }),
      new Map(),
    )
    expect(ledgerRows({ ...facts, demo: true }, used, 0)).toMatchObject([
      { usd: 0, demo: true, tokens: { input: 5 } },
    ])
  })

  it('take no nonsense for figures', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (modelUsage, since) => {
        const { used } = usageOfTurn(result({ modelUsage, model_usage_since_last_result: since }), new Map())
        for (const { usd, tokens } of ledgerRows(facts, used, 0))
          for (const value of [usd, ...Object.values(tokens)]) {
            expect(value).toBeGreaterThanOrEqual(0)
            expect(Number.isFinite(value)).toBe(true)
          }
      }),
    )
    const odd = {
      m: {
        costUSD: -1,
        inputTokens: 1.5,
        cacheCreationInputTokens: -7,
        outputTokens: '7',
        cacheReadInputTokens: 1e300,
      },
    }
    expect(totalOf(ledgerRows(facts, readUsage(odd) ?? new Map(), 0))).toEqual({
      usd: 0,
      tokens: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    })
  })
})

const zero = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
  micros: 0,
}
