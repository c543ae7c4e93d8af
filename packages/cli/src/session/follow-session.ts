/** Follows one session until it is stopped, over broken connections, and gives up when the server stays away. */
import {
  type ApiClient,
  ApiError,
  NetworkError,
  type SessionSnapshot,
  type StreamEvent,
} from '@dorkos/shared'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

export interface FollowHandlers {
  /** All that is known at this point; `isFirst` is false when events were missed and this makes up for them. */
  onSnapshot(snapshot: SessionSnapshot, isFirst: boolean): void | Promise<void>
  onEvent(event: StreamEvent): void
  /** For people: the connection broke, or is back. */
  onConnection(text: string): void
}

export interface Following {
  /** The first snapshot was handled: nothing that happens from here on is missed. */
  readonly ready: Promise<void>
  /** Ends when stopped. Rejects when the session cannot be followed any more. */
  readonly ended: Promise<void>
  stop(): void
}

const standardLimitMs = 60_000

export function followSession(
  client: ApiClient,
  sessionId: string,
  handlers: FollowHandlers,
  loseAfterMs = standardLimitMs,
): Following {
  const stopper = new AbortController()
  const patience = new Patience(loseAfterMs, stopper, handlers)
  let markReady: () => void = () => undefined
  let failReady: (error: unknown) => void = () => undefined
  const ready = new Promise<void>((resolve, reject) => {
    markReady = resolve
    failReady = reject
  })
  ready.catch(() => undefined)
  const run = async () => {
    let isFirst = true
    const frames = client.followSession(sessionId, {
      signal: stopper.signal,
      onState: (state) => patience.see(state.state),
    })
    for await (const frame of frames) {
      if (frame.frame === 'message') handlers.onEvent(frame.event)
      else if (frame.frame === 'snapshot') {
        await handlers.onSnapshot(frame.snapshot, isFirst)
        isFirst = false
        markReady()
      }
    }
    if (patience.isLost) throw lostError()
  }
  const ended = run().finally(() => patience.end())
  ended.catch(failReady)
  return { ready, ended, stop: () => stopper.abort() }
}

function lostError(): CliError {
  return new CliError(
    'Lost the connection to the server. The session keeps running there; `dorkos attach` shows it.',
    exitCodes.connection,
  )
}

/** How long a server may be away. */
class Patience {
  readonly #limitMs: number
  readonly #stopper: AbortController
  readonly #handlers: FollowHandlers
  #timer: NodeJS.Timeout | undefined
  #isAway = false
  #wasOpen = false
  isLost = false

  constructor(limitMs: number, stopper: AbortController, handlers: FollowHandlers) {
    this.#limitMs = limitMs
    this.#stopper = stopper
    this.#handlers = handlers
  }

  see(state: 'connecting' | 'open' | 'waiting' | 'closed'): void {
    if (state === 'open') {
      this.#wasOpen = true
      if (this.#isAway) this.#handlers.onConnection('Reconnected.')
      this.#isAway = false
      this.end()
    } else if (state !== 'closed' && !this.#stopper.signal.aborted) {
      // A limit for a server that went away says nothing of how long the first answer may take.
      const limitMs = this.#wasOpen ? this.#limitMs : Math.max(this.#limitMs, standardLimitMs)
      this.#timer ??= setTimeout(() => {
        this.isLost = true
        this.#stopper.abort()
      }, limitMs)
      if (state === 'waiting' && !this.#isAway) {
        this.#isAway = true
        this.#handlers.onConnection('Connection lost. Retrying…')
      }
    }
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** Another try with the same key is harmless: the server takes the message once. */
export async function sendSurely<T>(send: () => Promise<T>, tries = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      const mayHelp =
        error instanceof NetworkError || (error instanceof ApiError && error.code === 'unavailable')
      if (!mayHelp || attempt >= tries) throw error
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt))
    }
  }
}
