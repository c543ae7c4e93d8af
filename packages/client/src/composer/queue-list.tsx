import { isQueueHeld, type Turn } from '@dorkos/shared'
import { useId, useState } from 'react'
import { useIsPhone } from '../browser/use-media.ts'
import { text } from '../text/queue-text.ts'
import { DisclosureButton } from '../ui/disclosure.tsx'
import { HeldActions } from './held-actions.tsx'
import { QueuedMessage } from './queued-message.tsx'

interface QueueListProps {
  sessionId: string
  queue: readonly Turn[]
  /** A turn runs, so that a message can be put into it. */
  running: boolean
  readOnly: boolean
}

/** Messages that wait for their turn, in order. Those that a stop held say so. On a phone they are one line until somebody opens it. */
export function QueueList({ sessionId, queue, running, readOnly }: QueueListProps) {
  const words = text.queue
  const isHeld = isQueueHeld(queue)
  const isSmall = useIsPhone()
  const [opened, setOpened] = useState(false)
  const isOpen = !isSmall || opened
  const list = useId()
  const title = isHeld ? words.held(queue.length) : words.title(queue.length)
  return (
    <section aria-labelledby={`queue-${sessionId}`} className="rounded-xl border border-line bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 sm:pt-1.5">
        <div className="min-w-0 flex-1 basis-48">
          <h2
            id={`queue-${sessionId}`}
            className={isHeld ? 'text-sm font-medium text-warn' : 'text-xs font-medium text-soft'}
            aria-live="polite"
          >
            {isSmall ? (
              <DisclosureButton
                open={opened}
                onToggle={() => setOpened(!opened)}
                aria-controls={isOpen ? list : undefined}
                className="flex min-h-10 w-full items-center gap-1"
              >
                {title}
              </DisclosureButton>
            ) : (
              title
            )}
          </h2>
          {isHeld && isOpen && !readOnly && (
            <p className="text-xs text-soft">{words.heldHint(queue.length)}</p>
          )}
        </div>
        {isHeld && !readOnly && <HeldActions sessionId={sessionId} queue={queue} />}
      </div>
      {isOpen && (
        <ol id={list} className="max-h-[30dvh] divide-y divide-line overflow-y-auto">
          {queue.map((turn, index) => (
            <QueuedMessage
              key={turn.id}
              sessionId={sessionId}
              turn={turn}
              index={index}
              queue={queue}
              running={running}
              readOnly={readOnly}
            />
          ))}
        </ol>
      )}
    </section>
  )
}
