import { useEffect, useState } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { formatDuration } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { keptPairing } from './kept-pairing.ts'
import { usePairing } from './use-pairing.ts'

export function PairingPanel() {
  const [open, setOpen] = useState(() => keptPairing() !== undefined)
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-sm text-soft">{text.auth.pairLead}</p>
      {open && <ShownCode />}
      <Button onClick={() => setOpen(!open)}>{open ? text.auth.pairStop : text.auth.pairStart}</Button>
    </div>
  )
}

function ShownCode() {
  const { shown, fault, retry } = usePairing()
  if (fault !== undefined) {
    return (
      <Notice
        tone="danger"
        action={
          <Button size="sm" onClick={retry}>
            {text.ui.retry}
          </Button>
        }
      >
        {fault}
      </Notice>
    )
  }
  return (
    <div
      className="flex w-full flex-col gap-2 rounded-lg border border-line bg-raised p-4"
      aria-live="polite"
    >
      {shown === undefined ? (
        <p className="flex items-center gap-2 text-sm text-soft">
          <Spinner /> {text.auth.pairAsking}
        </p>
      ) : (
        <>
          <p className="text-sm text-soft">{text.auth.pairHow}</p>
          <p className="text-center font-mono text-2xl font-semibold tracking-widest select-all">
            {shown.code}
          </p>
          <p className="flex items-center gap-2 text-sm text-soft">
            <Spinner /> {text.auth.pairWaiting}
          </p>
        </>
      )}
      {shown && <Expiry at={shown.expiresAt} />}
    </div>
  )
}

/** Not announced: it changes all the time. */
function Expiry({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, Math.round((Date.parse(at) - now) / 1000)) * 1000
  // A clock that is wrong by much would only mislead.
  if (left === 0 || left > 11 * 60_000) return null
  return (
    <p aria-live="off" className="text-xs text-faint">
      {text.auth.pairExpires(formatDuration(Math.max(left, 1000)))}
    </p>
  )
}
