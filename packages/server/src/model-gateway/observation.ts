import type { IncomingHttpHeaders } from 'node:http'

export interface TokenUsage {
  input_tokens?: number
  output_tokens?: number
  cache_creation_input_tokens?: number
  cache_read_input_tokens?: number
}

/** One of the API's limits, by its name there: `requests`, `input-tokens`, `unified-5h`, … */
interface RateLimit {
  limit?: number
  remaining?: number
  /** As the API says it: a date, or seconds since the epoch. */
  reset?: string
  /** Other facts about it, such as `status` and `utilization`. */
  [fact: string]: number | string | undefined
}

export interface RateLimits {
  limits: Record<string, RateLimit>
  /** Seconds. */
  retryAfter?: number
}

/** To its end, aborted on our side (by the client, or because its credential was revoked), cut off, or never begun. */
export type CallOutcome = 'complete' | 'aborted' | 'upstream-cut' | 'unreachable'

export interface GatewayObservation {
  path: string
  /** The model that answered, where the stream said so; else the one that was asked for. */
  model: string | undefined
  /** What the client was answered with. Absent where it went away before that. */
  status: number | undefined
  outcome: CallOutcome
  requestId: string | undefined
  durationMs: number
  rateLimits: RateLimits
  usage: TokenUsage | undefined
}

const PREFIX = 'anthropic-ratelimit-'
const FACTS = ['limit', 'remaining', 'reset', 'status', 'utilization']

/** Reads `anthropic-ratelimit-<name>-<fact>` and `retry-after`. */
export function readRateLimits(headers: IncomingHttpHeaders): RateLimits {
  const limits: Record<string, RateLimit> = {}
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(PREFIX) || typeof value !== 'string') continue
    const rest = header.slice(PREFIX.length)
    const fact = FACTS.find((one) => rest.endsWith(`-${one}`))
    const name = fact === undefined ? 'other' : rest.slice(0, -fact.length - 1)
    const known = fact === 'reset' ? value : numberOr(value)
    limits[name] = { ...limits[name], [fact ?? rest]: known }
  }
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
  return { limits, ...(Number.isFinite(retryAfter) && { retryAfter }) }
}

export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['request-id']
  return typeof id === 'string' ? id : undefined
}

function numberOr(value: string): number | string {
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? number : value
}
