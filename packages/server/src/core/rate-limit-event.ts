/** What the model's API said about its limits → the event that people see. */
import type { NewEvent } from '@dorkos/shared'
import { type Clock, isoTime } from './ports/clock.ts'

interface ModelAnswer {
  /** Of HTTP. */
  status: number | undefined
  /** `retryAfter`: seconds. */
  rateLimits: { retryAfter?: number; limits: Record<string, Record<string, unknown>> }
}

/** Undefined for an ordinary answer. */
export function rateLimitEvent({ status, rateLimits }: ModelAnswer, clock: Clock): NewEvent | undefined {
  if (status !== 429 && status !== 529) return undefined
  const { retryAfter, limits } = rateLimits
  return {
    type: 'rate_limit',
    status: status === 429 ? 'rejected' : 'overloaded',
    ...(retryAfter !== undefined && { resets_at: isoTime(clock.now() + retryAfter * 1000) }),
    ...(Object.keys(limits).length > 0 && { detail: limits }),
  }
}
