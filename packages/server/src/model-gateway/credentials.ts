import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Which session a credential stands for. */
export interface GatewaySession {
  sessionId: string
  principal: string
  /** Answered by the demo model, and never by another. */
  demo: boolean
}

export interface Credentials {
  /** A new credential for a session. The one it had before is no longer good. */
  issue(session: GatewaySession): string
  revoke(sessionId: string): void
  /** The session that a request's credential was issued to. */
  sessionOf(headers: IncomingHttpHeaders): GatewaySession | undefined
}

/** Recognisable in a leak, and short enough for any client. */
const PREFIX = 'dorkos-session-'
const LONGEST = 200

/** Kept as hashes and in memory only: they mean nothing to another start of the server. */
export function createCredentials(): Credentials {
  const known = new Map<string, { session: GatewaySession; hash: Buffer }>()
  return {
    issue(session) {
      const credential = PREFIX + randomBytes(32).toString('base64url')
      known.set(session.sessionId, { session: { ...session }, hash: sha256(credential) })
      return credential
    },
    revoke(sessionId) {
      known.delete(sessionId)
    },
    sessionOf(headers) {
      const presented = presentedCredential(headers)
      if (presented === undefined) return undefined
      const hash = sha256(presented)
      let found: GatewaySession | undefined
      // Every one is compared, so that the time taken reveals nothing about which.
      for (const one of known.values()) if (timingSafeEqual(one.hash, hash)) found = one.session
      return found
    },
  }
}

/** From `authorization: Bearer` or, as the CLI sends an API key, `x-api-key`. */
function presentedCredential(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1]
  const key = headers['x-api-key']
  const presented = bearer ?? (typeof key === 'string' && key !== '' ? key : undefined)
  return presented !== undefined && presented.length <= LONGEST ? presented : undefined
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}
