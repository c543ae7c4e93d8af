import type { Turn } from '@dorkos/shared'
import { text } from '../text/text.ts'
import { QueuedMessage } from './queued-message.tsx'

interface QueueListProps {
  sessionId: string
  queue: readonly Turn[]
  /** A turn runs, so that a message can be put into it. */
  running: boolean
  readOnly: boolean
}

/** Messages that wait for their turn, in order. */
export function QueueList({ sessionId, queue, running, readOnly }: QueueListProps) {
  if (queue.length === 0) return null
  return (
    <section aria-labelledby={`queue-${sessionId}`} className="rounded-xl border border-line bg-raised">
      <h2 id={`queue-${sessionId}`} className="px-3 pt-1.5 text-xs font-medium text-soft" aria-live="polite">
        {text.composer.queueTitle(queue.length)}
      </h2>
      <ol className="max-h-[30dvh] divide-y divide-line overflow-y-auto">
        {queue.map((turn) => (
          <QueuedMessage
            key={turn.id}
            sessionId={sessionId}
            turn={turn}
            running={running}
            readOnly={readOnly}
          />
        ))}
      </ol>
    </section>
  )
}
