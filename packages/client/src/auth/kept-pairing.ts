/** The pairing that this tab waits for. A reload goes on with it: the server has room for few from one place. */

export interface KeptPairing {
  readonly code: string
  readonly secret: string
  readonly expiresAt: string
}

const key = 'dorkos.pairing'

/** Undefined when there is none, or none that is still good. */
export function keptPairing(now: number = Date.now()): KeptPairing | undefined {
  try {
    const { code, secret, expiresAt } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<
      string,
      unknown
    >
    if (typeof code !== 'string' || typeof secret !== 'string' || typeof expiresAt !== 'string')
      return undefined
    return Date.parse(expiresAt) > now ? { code, secret, expiresAt } : undefined
  } catch {
    return undefined
  }
}

/** Undefined forgets it. */
export function keepPairing(pairing: KeptPairing | undefined): void {
  try {
    if (pairing === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(pairing))
  } catch {
    // Without storage a reload asks for another code.
  }
}
