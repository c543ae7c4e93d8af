import { FileText, RotateCw, X } from 'lucide-react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { formatBytes } from '../ui/format.ts'
import { readAgain } from './attach-files.ts'
import { type Attachment, sizeOf } from './attachments.ts'
import { type ReadingFile, removeReadingFile } from './reading-files.ts'

interface AttachmentListProps {
  attachments: readonly Attachment[]
  /** Absent: they are only shown. */
  onRemove?: (id: string) => void
  /** On their way into this draft. */
  reading?: { draftKey: string; files: readonly ReadingFile[] }
}

export function AttachmentList({ attachments, onRemove, reading }: AttachmentListProps) {
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
      {reading?.files.map((one) => (
        <ReadingRow key={one.id} draftKey={reading.draftKey} reading={one} />
      ))}
    </ul>
  )
}

function ReadingRow({ draftKey, reading }: { draftKey: string; reading: ReadingFile }) {
  const { id, file, progress, failed } = reading
  const words = text.composer
  const name = file.name || words.unnamedFile
  return (
    <li className="flex max-w-full items-center gap-2 rounded-md border border-line bg-raised p-1 text-xs">
      <FileText aria-hidden size={20} className="mx-1.5 shrink-0 text-soft" />
      <span className="min-w-0 max-w-48">
        <bdi title={name} className="block truncate">
          {name}
        </bdi>
        {failed ? (
          <span role="alert" className="block text-danger">
            {words.notRead}
          </span>
        ) : (
          <progress
            aria-label={words.reading(name)}
            value={progress}
            className="block h-1.5 w-28 accent-(--running)"
          />
        )}
      </span>
      {failed && (
        <IconButton
          label={words.readAgain(name)}
          icon={RotateCw}
          iconSize={14}
          onClick={() => void readAgain(draftKey, reading)}
        />
      )}
      <IconButton
        label={words.removeAttachment(name)}
        icon={X}
        iconSize={14}
        onClick={() => removeReadingFile(draftKey, id)}
      />
    </li>
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
