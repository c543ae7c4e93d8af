import { ApiError, type Turn } from '@dorkos/shared'
import { Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, errorText } from '../api.ts'
import { text } from '../text/queue-text.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { toast } from '../ui/toast.tsx'
import { focusHome, useFocusHome } from './use-focus-home.ts'

/** What becomes of messages that a stop held. */
export function HeldActions({ sessionId, queue }: { sessionId: string; queue: readonly Turn[] }) {
  const words = text.queue
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const params = { id: sessionId }
  const all = useRef<HTMLSpanElement>(null)
  useFocusHome(all)
  const run = async () => {
    setBusy(true)
    await api
      .releaseQueue({ params, body: {} })
      // A button that works has lost the focus.
      .then(focusHome)
      .catch((error: unknown) => toast.error(errorText(error)))
      .finally(() => setBusy(false))
  }
  return (
    <span ref={all} className="ml-auto flex shrink-0 gap-1.5">
      <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
        {words.clear}
      </Button>
      <Button size="sm" variant="primary" icon={Play} busy={busy} onClick={() => void run()}>
        {words.run(queue.length)}
      </Button>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.clearTitle}
        message={words.clearText(queue.length)}
        action={words.clear}
        danger
        onConfirm={() => clear(sessionId, queue)}
      />
    </span>
  )
}

/** Takes back what is in sight, and nothing that somebody added meanwhile. One that no longer waits is no fault. */
async function clear(id: string, queue: readonly Turn[]): Promise<void> {
  const withdrawals = queue.map(({ id: messageId }) =>
    api.withdrawMessage({ params: { id, messageId } }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error
    }),
  )
  const failed = (await Promise.allSettled(withdrawals)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
