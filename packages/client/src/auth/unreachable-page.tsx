import { ApiError } from '@dorkos/shared'
import { useEffect, useState } from 'react'
import { errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { checkAuth } from './auth-store.ts'
import { SignInFrame } from './sign-in-frame.tsx'

/** Nobody knows yet whether this browser is signed in. Tries on, and at once when the network is back. */
export function UnreachablePage({ error }: { error: unknown }) {
  const [attempt, setAttempt] = useState(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const endsAt = Date.now() + retryDelayMs(attempt)
    let busy = false
    const check = () => {
      if (busy) return
      busy = true
      setSeconds(0)
      void checkAuth().finally(() => setAttempt((count) => count + 1))
    }
    const tick = () => {
      const left = Math.ceil((endsAt - Date.now()) / 1000)
      setSeconds(Math.max(0, left))
      if (left <= 0 && document.visibilityState === 'visible') check()
    }
    tick()
    const timer = setInterval(tick, 500)
    addEventListener('online', check)
    addEventListener('focus', check)
    return () => {
      clearInterval(timer)
      removeEventListener('online', check)
      removeEventListener('focus', check)
    }
  }, [attempt])
  return (
    <SignInFrame title={error instanceof ApiError ? text.auth.refusing : text.auth.unreachable}>
      {error instanceof ApiError ? (
        <Notice tone="danger">{errorText(error)}</Notice>
      ) : (
        <p className="text-sm text-soft">{text.auth.unreachableLead}</p>
      )}
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm text-soft">{text.auth.nextTry(seconds)}</span>
        <Button
          variant="primary"
          onClick={() => void checkAuth().finally(() => setAttempt((count) => count + 1))}
        >
          {text.auth.tryNow}
        </Button>
      </div>
    </SignInFrame>
  )
}

/** How long to wait before a server that does not answer is asked again: 1, 2, 4, 8 and then 15 seconds. */
export function retryDelayMs(attempt: number): number {
  return Math.min(15_000, 1000 * 2 ** Math.min(Math.max(attempt, 0), 4))
}
