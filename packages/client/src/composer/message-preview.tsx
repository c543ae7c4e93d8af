import type { MessageContent } from '@dorkos/shared'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { fromContent } from './message-content.ts'

const AttachmentList = deferred(async () => (await import('./attachment-list.tsx')).AttachmentList)

const longText = 240

/** A message in a few lines, with what is attached to it. */
export function MessagePreview({ content }: { content: MessageContent }) {
  const [isWhole, setIsWhole] = useState(false)
  const written = fromContent(content)
  const isLong = written.text.length > longText || written.text.split('\n').length > 3
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {written.text !== '' && (
        <p
          dir="auto"
          className={cx(
            'whitespace-pre-wrap break-words',
            isLong && !isWhole ? 'line-clamp-3' : 'max-h-60 overflow-y-auto',
          )}
        >
          {written.text}
        </p>
      )}
      {isLong && !isWhole && (
        <button type="button" className="self-start text-xs link" onClick={() => setIsWhole(true)}>
          {text.composer.queueMore}
        </button>
      )}
      {written.attachments.length > 0 && <AttachmentList attachments={written.attachments} />}
    </div>
  )
}
