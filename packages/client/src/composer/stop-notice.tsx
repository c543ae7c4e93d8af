import { useState } from 'react'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Stop } from './use-stop.ts'

/** A stop that did not come about, and what can be done. */
export function StopNotice({ stop }: { stop: Stop }) {
  const [busy, setBusy] = useState(false)
  const { state } = stop
  if (state.state !== 'late' && state.state !== 'failed') return null
  const words = text.composer
  const end = async () => {
    setBusy(true)
    await stop.endProcess()
    setBusy(false)
  }
  return (
    <Notice
      tone="warn"
      action={
        <span className="flex shrink-0 flex-wrap gap-2">
          <Button size="sm" onClick={stop.stop}>
            {words.stopAgain}
          </Button>
          <Button size="sm" variant="danger" busy={busy} onClick={() => void end()}>
            {words.endProcess}
          </Button>
        </span>
      }
    >
      {state.state === 'late' ? words.stopLate : words.stopFailed(state.fault)}
    </Notice>
  )
}
