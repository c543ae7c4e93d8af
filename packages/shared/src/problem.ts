/** Errors of the API: one shape, a closed list of codes. The code decides; the message is for people. */
import { z } from 'zod'
import { saidParamsSchema } from './words/said.ts'

/** Every code with the HTTP status it travels under and what it means. */
export const problems = {
  invalid_request: {
    status: 400,
    means: 'The request does not fit the schema; `details` lists every fault.',
  },
  unauthenticated: { status: 401, means: 'No token, or one that is not known, expired or revoked.' },
  forbidden: { status: 403, means: 'The token lacks the scope that this needs.' },
  origin_refused: { status: 403, means: 'The request came from a page of another origin.' },
  not_found: { status: 404, means: 'There is no such thing, or not for this token.' },
  method_not_allowed: { status: 405, means: 'The path exists, but not with this method.' },
  conflict: { status: 409, means: 'The thing is not in a state that allows this.' },
  already_answered: { status: 409, means: 'The approval has been decided; `details` says by whom.' },
  idempotency_mismatch: { status: 409, means: 'The Idempotency-Key was used before with another body.' },
  session_in_use: { status: 409, means: 'Another process works on this transcript; fork it instead.' },
  gone: {
    status: 410,
    means: 'A code or link that was used or has expired, or an output that Claude Code no longer keeps.',
  },
  payload_too_large: { status: 413, means: 'The body is over the limit.' },
  unsupported_media_type: { status: 415, means: 'Bodies must be application/json.' },
  wrong_host: { status: 421, means: 'The Host header names a host that this server does not answer for.' },
  outside_roots: { status: 422, means: 'The path is outside the configured roots.' },
  budget_reached: { status: 402, means: 'A budget is used up.' },
  rate_limited: { status: 429, means: 'Too many attempts; wait for Retry-After seconds.' },
  too_many_headers: { status: 431, means: 'The request has more headers than are looked at.' },
  internal: { status: 500, means: 'A fault of the server; the log has it under `reference`.' },
  agent_failed: { status: 502, means: 'The Claude Code CLI did not start or refused the request.' },
  unavailable: { status: 503, means: 'The server is starting, stopping, or out of capacity.' },
  storage_full: { status: 507, means: 'The disk does not take writes; nothing was accepted.' },
} as const

export type ProblemCode = keyof typeof problems

export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]]

export const problemSchema = z.object({
  error: z.object({
    code: z.enum(problemCodes),
    /** The sentence in English. `reason` and `params` are what it was made of, for programs and for other languages. */
    message: z.string(),
    reason: z.string().optional(),
    params: saidParamsSchema.optional(),
    /** What else a program needs: the faults of a request, the decision that came first. */
    details: z.unknown().optional(),
    /** Names the entry in the server's log. */
    reference: z.string().optional(),
  }),
})

export type Problem = z.infer<typeof problemSchema>
