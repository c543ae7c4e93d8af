import { describe, expect, it } from 'vitest'
import { createManualClock } from './ports/fixtures.conformance.ts'
import { rateLimitEvent } from './rate-limit-event.ts'

const clock = createManualClock(Date.parse('2026-01-01T00:00:00.000Z'))
const none = { limits: {} }

describe('rateLimitEvent', () => {
  it('says nothing of ordinary answers, nor of a call that nobody waited for', () => {
    for (const status of [200, 400, 401, 500, undefined])
      expect(rateLimitEvent({ status, rateLimits: { retryAfter: 5, limits: {} } }, clock)).toBeUndefined()
  })

  it('tells a refusal from an overload', () => {
    expect(rateLimitEvent({ status: 429, rateLimits: none }, clock)).toEqual({
      type: 'rate_limit',
      status: 'rejected',
    })
    expect(rateLimitEvent({ status: 529, rateLimits: none }, clock)).toEqual({
      type: 'rate_limit',
      status: 'overloaded',
    })
  })

  it('says when to come back, and what the API said of its limits', () => {
    const limits = { tokens: { limit: 1000, remaining: 0 } }
    expect(rateLimitEvent({ status: 429, rateLimits: { retryAfter: 90, limits } }, clock)).toEqual({
      type: 'rate_limit',
      status: 'rejected',
      resets_at: '2026-01-01T00:01:30.000Z',
      detail: limits,
    })
  })
})
