import { ApiError, type Turn } from '@dorkos/shared'
import { CornerDownRight, Pencil, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { api, errorText } from '../api.ts'
import { text } from '../text/text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Textarea } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { fromContent, toContent } from './message-content.ts'
import { MessagePreview } from './message-preview.tsx'
import { pageOutbox } from './outbox-store.ts'

interface QueuedMessageProps {
  sessionId: string
  turn: Turn
  running: boolean
  readOnly: boolean
}

/** One message that waits: it can be changed, taken back, or put into the running turn. */
export function QueuedMessage({ sessionId, turn, running, readOnly }: QueuedMessageProps) {
  const [isEditing, setIsEditing] = useState(false)
  const [busy, setBusy] = useState(false)
  const content = turn.content ?? ''
  const params = { id: sessionId, messageId: turn.id }
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      toast.error(faultText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const steer = async () => {
    if (await act(() => api.steerMessage({ params, body: {} })))
      pageOutbox().steered(sessionId, content, turn.id)
  }
  const words = text.composer
  if (isEditing)
    return (
      <li className="p-2">
        <QueueEdit
          content={content}
          busy={busy}
          onCancel={() => setIsEditing(false)}
          onSave={async (changed) => {
            if (await act(() => api.editMessage({ params, body: { content: changed } }))) setIsEditing(false)
          }}
        />
      </li>
    )
  return (
    <li className="flex items-start gap-2 py-1.5 pr-1.5 pl-3 text-sm">
      <div className="min-w-0 flex-1 py-1">
        <MessagePreview content={content} />
      </div>
      {!readOnly && (
        <span className="flex shrink-0">
          {running && (
            <IconButton
              label={words.queueSteer}
              icon={CornerDownRight}
              iconSize={16}
              disabled={busy}
              onClick={() => void steer()}
            />
          )}
          <IconButton
            label={words.queueEdit}
            icon={Pencil}
            iconSize={15}
            disabled={busy}
            onClick={() => setIsEditing(true)}
          />
          <IconButton
            label={words.queueDelete}
            icon={Trash2}
            iconSize={15}
            disabled={busy}
            onClick={() => void act(() => api.withdrawMessage({ params }))}
          />
        </span>
      )}
    </li>
  )
}

/** It may have begun a moment ago, which is nobody's fault. */
function faultText(error: unknown): string {
  return error instanceof ApiError && error.code === 'conflict'
    ? text.composer.queueStarted
    : errorText(error)
}

interface QueueEditProps {
  content: NonNullable<Turn['content']>
  busy: boolean
  onCancel: () => void
  onSave: (content: NonNullable<Turn['content']>) => Promise<void>
}

function QueueEdit({ content, busy, onCancel, onSave }: QueueEditProps) {
  const written = fromContent(content)
  const [value, setValue] = useState(written.text)
  const words = text.composer
  const save = () => {
    if (value.trim() === '' && written.attachments.length === 0) return toast.error(words.queueEmpty)
    void onSave(toContent(value, written.attachments))
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    else return
    event.preventDefault()
  }
  return (
    <div className="flex flex-col gap-2">
      <Textarea
        autoFocus
        dir="auto"
        aria-label={words.queueEditLabel}
        value={value}
        rows={Math.min(8, value.split('\n').length + 1)}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {written.attachments.length > 0 && (
          <span className="mr-auto text-xs text-soft">{words.queueKept(written.attachments.length)}</span>
        )}
        <Button size="sm" onClick={onCancel}>
          {text.ui.cancel}
        </Button>
        <Button size="sm" variant="primary" busy={busy} onClick={save}>
          {text.ui.save}
        </Button>
      </div>
    </div>
  )
}
