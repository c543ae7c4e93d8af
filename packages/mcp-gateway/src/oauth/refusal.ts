/** What went wrong with an authorization server, for people: its own words cleaned and cut, without what we sent it. */
import { plainLine } from '../upstream/plain-text.ts'
import { shortHost } from './authorization-server.ts'
import { SignInError } from './sign-in-error.ts'

const longestCode = 100
const longestDescription = 300

/** Runs a step of a sign-in; what it rejects with is a SignInError. `secrets` are not shown, whoever repeats them. */
export async function withRefusals<T>(
  issuer: string,
  secrets: readonly (string | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const sdk = await import('@modelcontextprotocol/client')
  const host = shortHost(issuer)
  try {
    return await work()
  } catch (error) {
    if (error instanceof SignInError) throw error
    if (error instanceof sdk.OAuthError) throw refusal(host, error.code, error.message, secrets)
    if (error instanceof sdk.IssuerMismatchError)
      throw new SignInError(
        'unsafe',
        error.kind === 'metadata'
          ? `Where ${host} sends to sign in is not who it says it is.`
          : `The answer is not that of ${host}, which was asked. Begin again.`,
      )
    if (error instanceof sdk.RegistrationRejectedError)
      throw new SignInError(
        'refused',
        `${host} does not register programs like this one (HTTP ${error.status}).`,
      )
    // Without its cause: what cannot be read is quoted there, and may be a token.
    throw new SignInError('unusable', `What ${host} answered cannot be used.`)
  }
}

/** An error of an authorization server (RFC 6749), as it came in an answer or by way of the person's browser. */
export function refusal(
  host: string,
  code: string,
  description: string | undefined,
  secrets: readonly (string | undefined)[] = [],
): SignInError {
  // What could not be read as an error of the protocol is passed on as it came: it may be a whole page.
  const isRead = code !== 'server_error'
  const words = isRead && description !== undefined ? cleaned(description, longestDescription, secrets) : ''
  const name = cleaned(code, longestCode, secrets)
  const sentence =
    code === 'access_denied'
      ? `You, or ${host}, said no (${words === '' ? name : `${name}: ${words}`}). Begin again.`
      : `${host} refused: ${name}${words === '' ? '' : ` (${words})`}.`
  const kind =
    code === 'invalid_grant'
      ? 'grant'
      : code === 'invalid_client' || code === 'unauthorized_client'
        ? 'client'
        : code === 'server_error' || code === 'temporarily_unavailable'
          ? 'unreachable'
          : 'refused'
  return new SignInError(kind, sentence)
}

function cleaned(text: string, length: number, secrets: readonly (string | undefined)[]): string {
  let clean = text.slice(0, 10_000)
  for (const secret of secrets) {
    if (secret === undefined || secret === '') continue
    for (const spelling of [secret, encodeURIComponent(secret)]) clean = clean.replaceAll(spelling, '•••')
  }
  return plainLine(clean, length)
}
