/** What the typed client throws. */
import { type ProblemCode, problemSchema } from './problem.ts'
import type { Said } from './words/said.ts'

/** The server answered with an error of the contract. The code decides; the message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ProblemCode
  readonly status: number
  readonly details: unknown
  /** What the message was made of, for other languages; absent from a server that does not say it. */
  readonly said: Said | undefined
  /** Names the entry in the server's log. */
  readonly reference: string | undefined
  /** How long the server asks to wait before another try. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ProblemCode,
    status: number,
    message: string,
    more: {
      details?: unknown
      said?: Said | undefined
      reference?: string | undefined
      retryAfterSeconds?: number | undefined
      cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.code = code
    this.status = status
    this.details = more.details
    this.said = more.said
    this.reference = more.reference
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** No answer came, or one that is not DorkOS's: the server is not there, or the connection broke. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** The error of an answer that is not a success. */
export async function errorOfResponse(response: Response): Promise<ApiError | NetworkError> {
  const text = await response.text().catch(() => '')
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const parsed = problemSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    return new NetworkError(
      `The answer (status ${response.status}) is not one of DorkOS; is something else listening there?`,
    )
  }
  const { code, message, reason, params, details, reference } = parsed.data.error
  return new ApiError(code, response.status, message, {
    details,
    said: reason === undefined ? undefined : { reason, params },
    reference,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
