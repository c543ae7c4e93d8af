/** Why a sign-in did not work, in words that say what to do. */
import { ApiError } from '@dorkos/shared'
import { errorText } from '../api.ts'
import { text } from '../text/text.ts'

export function signInErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error)
  switch (error.code) {
    case 'gone':
    case 'not_found':
    case 'unauthenticated':
      return text.auth.codeGone
    case 'invalid_request':
      return text.auth.codeMalformed
    case 'rate_limited':
      return text.auth.tooManyTries(error.retryAfterSeconds)
    default:
      return errorText(error)
  }
}
