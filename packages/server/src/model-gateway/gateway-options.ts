import type { GatewaySession } from './credentials.ts'
import type { GatewayObservation } from './observation.ts'

/** Where model calls go: to the API with the key added, or to the demo model inside this process. */
export type ModelUpstream =
  | {
      kind: 'anthropic'
      /** Up to, and without, `/v1`. */
      baseUrl: string
      /** The key, as headers. Asked for each call, so that a key which changes is taken up. */
      headers: () => Promise<Record<string, string>>
    }
  | { kind: 'demo' }

export type Admission = { ok: true } | { ok: false; message: string }

export interface GatewayLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface GatewayLimits {
  bodyBytes: number
  /** Wrong credentials in a window, before they are answered with 429 and no longer logged. */
  failures: number
  failureWindowMs: number
  /** For a client to send the head of a request, and all of it. */
  headersMs: number
  requestMs: number
  /** For the upstream to take the connection, and to say anything at all. */
  connectMs: number
  idleMs: number
}

export interface ModelGatewayOptions {
  /** Asked for each call. */
  upstream: () => ModelUpstream
  /** Asked before each call that a model answers; the message of a refusal is what the session's turn ends with. */
  admit: (session: GatewaySession, call: { model: string | undefined; path: string }) => Promise<Admission>
  /** Follows every call that was admitted, however it ended: answered, refused, cut off or never made. */
  ended?: (session: GatewaySession) => void
  /** Called with what was seen of a call that was made. */
  observe?: (session: GatewaySession, seen: GatewayObservation) => void
  logger: GatewayLogger
  /** Of it count the proxies and certificates for the way to the upstream. */
  env: NodeJS.ProcessEnv
  limits?: Partial<GatewayLimits>
}

export const defaultLimits: GatewayLimits = {
  bodyBytes: 64 * 1024 * 1024,
  failures: 30,
  failureWindowMs: 60_000,
  headersMs: 10_000,
  requestMs: 60_000,
  connectMs: 15_000,
  idleMs: 15 * 60_000,
}
