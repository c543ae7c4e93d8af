/** All open event streams: how many there may be, their heartbeat, and their end with the token or the server. */
import type { ServerResponse } from 'node:http'
import { type Config, encodeFrame, type Saying, say } from '@dorkos/shared'
import { type Actor, tokenOf } from '../core/actor.ts'
import { AppError } from '../core/app-error.ts'
import type { Logger } from '../core/logger.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { AuthService } from '../core/services.ts'
import { type ConnectionLimits, SseConnection } from './sse-connection.ts'

/** Of all, and of one token. */
export type MostStreams = Pick<Config['events'], 'maxStreams' | 'maxStreamsPerToken'>

export interface StreamsOptions {
  clock: Clock
  logger: Logger
  heartbeatMs: number
  /** Asked for each stream, as they can be changed while the server runs. */
  most: () => MostStreams
  limits: ConnectionLimits
}

const heartbeat = Buffer.from(': heartbeat\n\n')
const maxRemembered = 1000

export class Streams {
  readonly #options: StreamsOptions
  readonly #open = new Map<SseConnection, string>()
  readonly #perToken = new Map<string, number>()
  /** Tokens that ended lately: a stream that was being opened meanwhile is not let through. */
  readonly #ended = new Set<string>()
  readonly #stopListening: () => void
  #cancelHeartbeat: (() => void) | undefined
  #isClosing = false

  constructor(auth: Pick<AuthService, 'onRevoked'>, options: StreamsOptions) {
    this.#options = options
    this.#stopListening = auth.onRevoked((tokenId) => this.#endOf(tokenId))
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens a stream and sends its head. Throws, with nothing sent, when there may be no more. */
  open(actor: Actor, response: ServerResponse): SseConnection {
    this.check(actor)
    const { id: tokenId, from } = tokenOf(actor)
    const connection = new SseConnection(response, this.#options.limits, () => {
      this.#options.logger.info({ token_id: tokenId, from }, 'a slow client was dropped')
    })
    this.#open.set(connection, tokenId)
    this.#perToken.set(tokenId, (this.#perToken.get(tokenId) ?? 0) + 1)
    connection.onClose(() => this.#forget(connection, tokenId))
    connection.open(`retry: ${jitter(500, 1500)}\n\n`)
    this.#beat()
    return connection
  }

  /** Throws when the actor may not open another stream. */
  check(actor: Actor): void {
    const { maxStreams, maxStreamsPerToken } = this.#options.most()
    if (this.#isClosing) throw new AppError('unavailable', say('server_stopping'))
    const { id: tokenId } = tokenOf(actor)
    if (this.#ended.has(tokenId)) throw new AppError('unauthenticated', say('token_revoked'))
    if ((this.#perToken.get(tokenId) ?? 0) >= maxStreamsPerToken) {
      throw tooMany('rate_limited', say('too_many_streams_of_token', { most: maxStreamsPerToken }))
    }
    if (this.#open.size >= maxStreams) {
      throw tooMany('unavailable', say('too_many_streams', { most: maxStreams }))
    }
  }

  /** Sends every client a delay to reconnect after, each its own, and ends the streams. New ones are refused. */
  close(): void {
    this.#isClosing = true
    this.#stopListening()
    this.#cancelHeartbeat?.()
    for (const connection of [...this.#open.keys()]) {
      connection.end(encodeFrame({ frame: 'closing', retry_ms: jitter(250, 2000) }))
    }
  }

  #endOf(tokenId: string): void {
    this.#ended.add(tokenId)
    const [oldest] = this.#ended
    if (this.#ended.size > maxRemembered && oldest !== undefined) this.#ended.delete(oldest)
    for (const [connection, owner] of [...this.#open]) if (owner === tokenId) connection.destroy()
  }

  #forget(connection: SseConnection, tokenId: string): void {
    this.#open.delete(connection)
    const left = (this.#perToken.get(tokenId) ?? 1) - 1
    if (left > 0) this.#perToken.set(tokenId, left)
    else this.#perToken.delete(tokenId)
  }

  /** One timer for all streams; it rests while there are none. */
  #beat(): void {
    this.#cancelHeartbeat ??= this.#options.clock.after(this.#options.heartbeatMs, () => {
      this.#cancelHeartbeat = undefined
      for (const connection of this.#open.keys()) connection.write(heartbeat)
      if (this.#open.size > 0 && !this.#isClosing) this.#beat()
    })
  }
}

function tooMany(code: 'rate_limited' | 'unavailable', saying: Saying): AppError {
  return new AppError(code, saying, { details: { retry_after: 5 } })
}

function jitter(low: number, high: number): number {
  return Math.round(low + Math.random() * (high - low))
}
