import { describe, expect, it } from 'vitest'
import { refusalFor } from './budget-state.ts'

const refusal = (kind: 'session' | 'day', used: number, limit: number) =>
  refusalFor({ kind, limit_usd: limit, used_usd: used, state: 'reached' })

describe('what is said of a budget that is used up', () => {
  it('has figures that are never nothing', () => {
    expect(refusal('session', 1.204, 1).reason.message).toContain('$1.20 of $1.00.')
    expect(refusal('session', 0.1234, 0.1).reason.message).toContain('$0.12 of $0.10.')
    expect(refusal('session', 0.01034, 0.00001).reason.message).toContain('$0.01 of $0.00001.')
    expect(refusal('session', 0, 0.5).reason.message).toContain('$0.00 of $0.50.')
    expect(refusal('session', 1e-12, 1e-12).reason.message).toMatch(/\$0\.0{11}1 of/)
  })

  it('names the budget, also for programs', () => {
    expect(refusal('session', 1, 1)).toMatchObject({
      reason: {
        message: expect.stringMatching(
          /^This session’s budget .* To continue, raise the session’s budget\.$/,
        ),
      },
      reasonCode: 'session_budget',
    })
    expect(refusal('day', 1, 1)).toMatchObject({
      reason: {
        message: expect.stringMatching(
          /^Today’s budget .* To continue, raise the daily budget under Costs\.$/,
        ),
      },
      reasonCode: 'day_budget',
    })
  })
})
