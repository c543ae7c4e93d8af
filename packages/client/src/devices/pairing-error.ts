/** Why a code could not be confirmed, in words that say what to do. */
import { ApiError } from '@dorkos/shared'
import { errorText } from '../api.ts'
import { text } from '../text/page-text.ts'

export function pairingErrorText(error: unknown): string {
  if (error instanceof ApiError && error.code === 'gone') return text.devices.codeGone
  if (error instanceof ApiError && error.code === 'conflict') return text.devices.codeConfirmed
  return errorText(error)
}
