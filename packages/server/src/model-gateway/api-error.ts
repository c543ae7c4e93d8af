import type { ServerResponse } from 'node:http'

/** The errors that the gateway itself answers with: the Messages API's own, and one for a refused budget. */
type ApiErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'api_error'
  | 'budget_exceeded'

export interface ModelApiError {
  status: number
  type: ApiErrorType
  message: string
  /** The CLI asks again after most errors; false says that this would not help. */
  retry?: boolean
  headers?: Record<string, string>
}

/** Answers in the API's own shape, so that the CLI shows the message. Does nothing where an answer has begun. */
export function sendApiError(
  response: ServerResponse,
  { status, type, message, ...rest }: ModelApiError,
): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify({ type: 'error', error: { type, message } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(rest.retry !== true && { 'x-should-retry': 'false' }),
    ...rest.headers,
  })
  response.end(body)
}
