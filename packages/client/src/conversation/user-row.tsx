/** What a person said. As it was written: no markdown. */
import { CornerDownRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { UserItem } from '../live/page-session.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { useOpened } from './conversation-context.tsx'
import { MessageTools } from './message-tools.tsx'
import { readSynthetic } from './synthetic.ts'
import { UserAttachments } from './user-attachments.tsx'
import { userParts } from './user-parts.ts'

const EditMessage = deferred(async () => (await import('./edit-message.tsx')).EditMessage)

/** More than this is folded. */
const foldedLines = 14
const foldedChars = 1600

export const UserRow = memo(function UserRow({ item }: { item: UserItem }) {
  const parts = userParts(item.content)
  const [isEdited, setEdited] = useState(false)
  if (item.synthetic) return <SyntheticRow item={item} words={parts.text} />
  return (
    <article
      tabIndex={-1}
      aria-label={text.conversation.you}
      className="outline-none group/message flex flex-col items-end pt-3 pb-1"
    >
      {isEdited ? (
        <EditMessage item={item} onClose={() => setEdited(false)} />
      ) : (
        <div className="max-w-[min(100%,42rem)] rounded-2xl rounded-br-md border border-line bg-raised px-4 py-2.5">
          {parts.attachments.length > 0 && (
            <UserAttachments attachments={parts.attachments} messageId={item.messageId} />
          )}
          {parts.text !== '' && <UserText itemKey={item.key} words={parts.text} />}
        </div>
      )}
      <MessageTools
        value={parts.text}
        linkKey={item.key}
        messageId={item.messageId}
        time={item.time}
        {...(!item.joined && { onEdit: () => setEdited(true) })}
      />
    </article>
  )
})

function UserText({ itemKey, words }: { itemKey: string; words: string }) {
  const [isOpen, setOpen] = useOpened(`${itemKey}:all`)
  const isLong = words.length > foldedChars || words.split('\n', foldedLines + 1).length > foldedLines
  const shown = isLong && !isOpen ? fold(words) : words
  return (
    <>
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {shown}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mt-1 min-h-7 text-sm font-medium link"
        >
          {isOpen ? text.conversation.showLess : text.conversation.showAll}
        </button>
      )}
    </>
  )
}

function fold(words: string): string {
  return `${words.split('\n', foldedLines).join('\n').slice(0, foldedChars)} …`
}

function SyntheticRow({ item, words }: { item: UserItem; words: string }) {
  const synthetic = readSynthetic(words)
  return (
    <Disclosure
      icon={CornerDownRight}
      label={synthetic.label}
      opened={useOpened(item.key)}
      disabled={synthetic.words === ''}
      className="py-1"
      bodyClassName="mt-1 ml-2 max-h-96 overflow-y-auto border-l-2 border-line pl-4 text-sm text-soft"
    >
      <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {synthetic.words}
      </p>
    </Disclosure>
  )
}
