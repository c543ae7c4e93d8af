/** A code that this terminal shows, for a person to confirm on a signed-in page. */
import { ApiError, createApiClient } from '@dorkos/shared'

export interface OpenPairing {
  /** To be shown. */
  readonly code: string
  /** The secret of the token, once somebody has confirmed; undefined when nobody will. */
  whenConfirmed(signal: AbortSignal): Promise<string | undefined>
}

const pollMs = 2000
const answerMs = 5000

/** Undefined where the server gives none now: there are other ways to sign in. */
export async function requestPairing(url: string, name: string): Promise<OpenPairing | undefined> {
  const client = createApiClient({ baseUrl: url })
  const requested = await client
    .requestPairing({ body: { name, kind: 'terminal' }, signal: AbortSignal.timeout(answerMs) })
    .catch(() => undefined)
  if (!requested) return undefined
  const { code, secret } = requested
  const claim = async (): Promise<string | false | undefined> => {
    const body = { secret }
    try {
      const claimed = await client.claimPairing({ body, signal: AbortSignal.timeout(answerMs) })
      return claimed.state === 'confirmed' ? claimed.secret : false
    } catch (error) {
      // A server that is away for a moment may be back for the next try.
      return error instanceof ApiError && error.code === 'gone' ? undefined : false
    }
  }
  return {
    code,
    async whenConfirmed(signal) {
      while (await waited(pollMs, signal)) {
        const claimed = await claim()
        if (claimed !== false) return claimed
      }
      return undefined
    },
  }
}

/** False: the signal came first. */
function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    signal.addEventListener('abort', stop)
  })
}
