/** A code that this page shows, and a signed-in page confirms. While the page is in sight it asks whether that has happened. */
import { ApiError } from '@dorkos/shared'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { signIn } from './auth-store.ts'
import { deviceName } from './device-name.ts'
import { type KeptPairing, keepPairing, keptPairing } from './kept-pairing.ts'
import { signInErrorText } from './sign-in-error.ts'

const pollMs = 2000

type ShownPairing = Pick<KeptPairing, 'code' | 'expiresAt'>

interface Pairing {
  shown: ShownPairing | undefined
  fault: string | undefined
  /** Ask for a code again, after a fault. */
  retry: () => void
}

export function usePairing(): Pairing {
  const [shown, setShown] = useState<ShownPairing>()
  const [fault, setFault] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew.
  useEffect(() => {
    const stop = new AbortController()
    setFault(undefined)
    pairUntil(stop.signal, setShown).catch((error: unknown) => {
      if (stop.signal.aborted) return
      setShown(undefined)
      setFault(signInErrorText(error))
    })
    return () => stop.abort()
  }, [attempt])
  return { shown, fault, retry: () => setAttempt((count) => count + 1) }
}

/** Ends when a person has confirmed. Goes on with the code that this tab has; one that expired is followed by a new one. */
async function pairUntil(signal: AbortSignal, show: (pairing: ShownPairing) => void): Promise<void> {
  for (;;) {
    const pairing = keptPairing() ?? (await askForPairing(signal))
    show(pairing)
    const token = await claim(pairing.secret, signal)
    keepPairing(undefined)
    if (token === undefined) continue
    await signIn(token)
    return
  }
}

async function askForPairing(signal: AbortSignal): Promise<KeptPairing> {
  const body = { name: deviceName(navigator.userAgent) }
  const { code, secret, expires_at: expiresAt } = await api.requestPairing({ body, signal })
  const pairing = { code, secret, expiresAt }
  keepPairing(pairing)
  return pairing
}

/** The token, or undefined when the pairing is no more. */
async function claim(secret: string, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    await nextPoll(signal)
    try {
      const claimed = await api.claimPairing({ body: { secret }, signal })
      if (claimed.state === 'confirmed') return claimed.secret
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof ApiError)) continue
      if (error.code === 'gone') return undefined
      if (error.code !== 'unavailable' && error.code !== 'rate_limited') throw error
    }
  }
}

/** After the pause, and not while nobody sees the page. */
function nextPoll(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const schedule = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => end(resolve), pollMs)
    }
    const end = (settle: () => void) => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
      signal.removeEventListener('abort', abort)
      settle()
    }
    const abort = () => end(() => reject(signal.reason))
    if (signal.aborted) return reject(signal.reason)
    document.addEventListener('visibilitychange', schedule)
    signal.addEventListener('abort', abort)
    schedule()
  })
}
