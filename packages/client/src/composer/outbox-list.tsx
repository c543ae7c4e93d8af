import { useEffect, useState, useSyncExternalStore } from 'react'
import { onSendProgress, sendProgress } from '../send-progress.ts'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { returnToDraft } from './drafts.ts'
import { fromContent } from './message-content.ts'
import { MessagePreview } from './message-preview.tsx'
import { type Outbox, type OutboxEntry, quietMs, shownEntries } from './outbox.ts'
import { pageOutbox } from './outbox-store.ts'

interface OutboxListProps {
  sessionId: string
  /** Whether the message of this turn is in sight: in the conversation, or in the queue. */
  isKnown: (turnId: string) => boolean
  /** Whether the conversation has it. */
  hasMessage: (turnId: string) => boolean
}

/** Messages that the server does not have yet, or that the conversation does not show yet. */
export function OutboxList({ sessionId, isKnown, hasMessage }: OutboxListProps) {
  const outbox = pageOutbox()
  const all = useSyncExternalStore(outbox.subscribe, outbox.get)
  const now = useNowAfterQuiet(all)
  const shown = shownEntries(all, sessionId, isKnown, now)
  useEffect(() => {
    // Seen once is enough: it may be taken back from the queue, and must not come up here again. What goes into the running turn
    // leaves the queue before the conversation has it.
    for (const { key, turnId, delivery } of all) {
      const isThere = delivery === 'steer' ? hasMessage : isKnown
      if (turnId !== undefined && isThere(turnId)) outbox.remove(key)
    }
  }, [all, isKnown, hasMessage, outbox])
  if (shown.length === 0) return null
  return (
    <section aria-label={text.composer.outbox.title} className="flex flex-col gap-1.5">
      {shown.map((entry) => (
        <OutboxRow key={entry.key} entry={entry} />
      ))}
    </section>
  )
}

/** The time, read again when there may be something to say about a message. */
function useNowAfterQuiet(outbox: Outbox): number {
  const [now, setNow] = useState(Date.now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the outbox begins a new wait.
  useEffect(() => {
    setNow(Date.now())
    const timer = setTimeout(() => setNow(Date.now()), quietMs + 20)
    return () => clearTimeout(timer)
  }, [outbox])
  return now
}

function OutboxRow({ entry }: { entry: OutboxEntry }) {
  const words = text.composer.outbox
  const [asks, setAsks] = useState(false)
  const outbox = pageOutbox()
  const isOpen = entry.state === 'waiting' || entry.state === 'failed'
  const edit = () => {
    const written = fromContent(entry.content)
    returnToDraft(entry.sessionId, written.text, written.attachments)
    outbox.remove(entry.key)
  }
  return (
    <div
      className={cx(
        'rounded-lg border px-3 py-2 text-sm',
        entry.state === 'failed' ? 'border-danger bg-danger-ground' : 'border-line bg-raised',
      )}
    >
      <MessagePreview content={entry.content} />
      <div className="mt-1 flex flex-wrap items-center gap-1">
        <OutboxStatus entry={entry} />
        {isOpen && (
          <span className="ml-auto flex flex-wrap gap-1">
            <Button size="sm" variant="ghost" onClick={() => outbox.retry(entry.key)}>
              {words.retry}
            </Button>
            <Button size="sm" variant="ghost" onClick={edit}>
              {words.edit}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setAsks(true)}>
              {words.discard}
            </Button>
          </span>
        )}
      </div>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.discardTitle}
        message={entry.state === 'failed' ? words.discardText : words.discardUnsure}
        action={words.discard}
        danger
        onConfirm={() => outbox.remove(entry.key)}
      />
    </div>
  )
}

function OutboxStatus({ entry }: { entry: OutboxEntry }) {
  const words = text.composer.outbox
  const sent = useSyncExternalStore(onSendProgress, () => sendProgress(entry.key))
  if (entry.state === 'failed')
    return (
      <span role="alert" className="min-w-0 break-words text-xs text-danger">
        {words.failed(entry.fault ?? text.ui.unknownError)}
      </span>
    )
  return (
    <span role="status" className="flex items-center gap-1.5 text-xs text-soft">
      {entry.state !== 'waiting' && <Spinner size={13} />}
      {statusText(entry, sent)}
    </span>
  )
}

function statusText({ state, delivery }: OutboxEntry, sent: number | undefined): string {
  const words = text.composer.outbox
  if (state === 'waiting') return words.waiting
  if (state !== 'accepted')
    return sent === undefined ? words.sending : words.sendingPart(Math.round(sent * 100))
  return delivery === 'steer' ? words.steered : words.accepted
}
