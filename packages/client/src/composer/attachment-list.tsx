import { FileText, X } from 'lucide-react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { type Attachment, sizeOf } from './attachments.ts'

interface AttachmentListProps {
  attachments: readonly Attachment[]
  /** Absent: they are only shown. */
  onRemove?: (id: string) => void
}

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label={text.composer.attachments} className="flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className="flex max-w-full items-center gap-2 rounded-md border border-line bg-raised p-1 text-xs"
        >
          <Preview attachment={attachment} />
          <span className="min-w-0 max-w-48">
            <bdi title={nameOf(attachment)} className="block truncate">
              {nameOf(attachment)}
            </bdi>
            <span className="block text-faint">{formatBytes(sizeOf(attachment))}</span>
          </span>
          {onRemove && (
            <IconButton
              label={text.composer.removeAttachment(nameOf(attachment))}
              icon={X}
              iconSize={14}
              onClick={() => onRemove(attachment.id)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

function Preview({ attachment }: { attachment: Attachment }) {
  if (attachment.kind !== 'image')
    return <FileText aria-hidden size={20} className="mx-1.5 shrink-0 text-soft" />
  return (
    <img
      src={`data:${attachment.mediaType};base64,${attachment.data}`}
      alt={nameOf(attachment)}
      className="size-10 shrink-0 rounded object-cover"
    />
  )
}

function nameOf({ name, kind }: Attachment): string {
  if (name !== '') return name
  return kind === 'image' ? text.composer.image : text.composer.document
}
