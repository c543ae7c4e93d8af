/** The one way to the server: the typed client of the contract, with this browser's token. */
import { ApiError, createApiClient, NetworkError } from '@dorkos/shared'
import { storedToken } from './auth/token-storage.ts'
import { loadWordsNow, serverWords } from './text/server-words.ts'
import { text } from './text/text.ts'

/** Below this nobody waits long enough to ask how far it is. */
const largeBody = 256 * 1024

export const api = createApiClient({ token: storedToken, fetch: pageFetch })

async function pageFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await send(input, init)
  // Whoever shows the error has the words for it then.
  if (!response.ok) await loadWordsNow().catch(() => undefined)
  return response
}

/** A message with large files says how far it is on its way. */
async function send(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body } = init ?? {}
  if (typeof body !== 'string' || body.length < largeBody) return fetch(input, init)
  const part = await import('./send-large.ts').catch(() => undefined)
  return part ? part.sendLarge(String(input), init ?? {}) : fetch(input, init)
}

/** One sentence for people about what went wrong with a call. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    const { reference } = error
    const message = serverWords(error.said, error.message)
    const isNamed = reference === undefined || message.includes(reference)
    return isNamed ? message : `${message} ${text.ui.reference(reference)}`
  }
  if (error instanceof NetworkError) return text.ui.networkError
  return error instanceof Error && error.message !== '' ? error.message : text.ui.unknownError
}
