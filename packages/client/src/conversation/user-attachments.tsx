import { FileText, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { PictureOnDemand } from '../render/picture-on-demand.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useConversation } from './conversation-context.tsx'
import type { ShownAttachment } from './user-parts.ts'

interface UserAttachmentsProps {
  attachments: readonly ShownAttachment[]
  messageId: string
}

export function UserAttachments({ attachments, messageId }: UserAttachmentsProps) {
  return (
    <ul className="mb-2 flex flex-wrap gap-2">
      {sequence(attachments, (attachment) => (
        <li className="max-w-full">
          <AttachmentView attachment={attachment} messageId={messageId} />
        </li>
      ))}
    </ul>
  )
}

function AttachmentView({ attachment, messageId }: { attachment: ShownAttachment; messageId: string }) {
  const { sessionId } = useConversation()
  if (attachment.kind === 'image') return <ImageView source={attachment.source} title={attachment.title} />
  const isOmitted = attachment.kind === 'omitted'
  if (isOmitted && attachment.index !== undefined) {
    const params = { id: sessionId, messageId, index: attachment.index }
    return (
      <PictureOnDemand
        label={text.conversation.showLeftOutImage}
        load={() => api.getMessagePicture({ params })}
      />
    )
  }
  const Icon = isOmitted ? ImageOff : FileText
  const name = isOmitted ? text.conversation.imageOmitted : (attachment.title ?? text.conversation.document)
  return (
    <span className="flex max-w-60 items-center gap-2 rounded-md border border-line bg-card px-2.5 py-1.5 text-sm">
      <Icon aria-hidden size={16} className="shrink-0 text-soft" />
      <bdi className="truncate" title={`${name} ${attachment.mediaType}`}>
        {name}
      </bdi>
    </span>
  )
}

function ImageView({ source, title }: { source: string; title: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const name = text.conversation.image(title ?? text.conversation.unnamed)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="block overflow-hidden rounded-md border border-line"
      >
        <img src={source} alt={name} className="h-32 w-auto max-w-full object-cover" />
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={name} size="xl">
        <img src={source} alt={name} className="mx-auto max-h-[75dvh] max-w-full object-contain pb-3" />
      </Dialog>
    </>
  )
}
