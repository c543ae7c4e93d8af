/** The one way to the server: the typed client of the contract, with this browser's token. */
import { ApiError, createApiClient, NetworkError } from '@dorkos/shared'
import { storedToken } from './auth/token-storage.ts'
import { text } from './text/text.ts'

export const api = createApiClient({ token: storedToken })

/** One sentence for people about what went wrong with a call. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { message, reference } = error
    const isNamed = reference === undefined || message.includes(reference)
    return isNamed ? message : `${message} ${text.ui.reference(reference)}`
  }
  if (error instanceof NetworkError) return text.ui.networkError
  return error instanceof Error && error.message !== '' ? error.message : text.ui.unknownError
}
