import type { Turn } from '@dorkos/shared'
import { type KeyboardEvent, useState } from 'react'
import { text } from '../text/queue-text.ts'
import { Button } from '../ui/button.tsx'
import { Textarea } from '../ui/field.tsx'
import { toast } from '../ui/toast.tsx'
import { fromContent, toContent } from './message-content.ts'

interface QueueEditProps {
  content: NonNullable<Turn['content']>
  busy: boolean
  onCancel: () => void
  onSave: (content: NonNullable<Turn['content']>) => Promise<void>
}

/** A message that waits, to be written anew. */
export function QueueEdit({ content, busy, onCancel, onSave }: QueueEditProps) {
  const written = fromContent(content)
  const [value, setValue] = useState(written.text)
  const words = text.queue
  const save = () => {
    if (value.trim() === '' && written.attachments.length === 0) return toast.error(words.empty)
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
        aria-label={words.editLabel}
        value={value}
        rows={Math.min(8, value.split('\n').length + 1)}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {written.attachments.length > 0 && (
          <span className="mr-auto text-xs text-soft">{words.kept(written.attachments.length)}</span>
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
