/** What can be done with a message. */
import { Ellipsis, GitFork, History, Link, Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { deferred } from '../ui/deferred.tsx'
import { formatDateTime, formatTime } from '../ui/format.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useConversation } from './conversation-context.tsx'
import { copyText, useFork, useRetry } from './session-commands.ts'

const RewindDialog = deferred(async () => (await import('./rewind-dialog.tsx')).RewindDialog)

interface MessageToolsProps {
  value: string
  linkKey: string
  messageId: string
  /** Absent where it is shown beside these. */
  time?: string
  /** A person's message: files can be put back to before it, and it can be sent again, changed. */
  onEdit?: () => void
  /** At the message's first line, where it takes no room; else below it. */
  isBeside?: boolean
}

export function MessageTools({ value, linkKey, messageId, time, onEdit, isBeside }: MessageToolsProps) {
  const { sessionId, canChat, canApprove } = useConversation()
  const fork = useFork(sessionId)
  const [rewinding, setRewinding] = useState(false)
  const link = `${location.origin}/sessions/${sessionId}#${encodeURIComponent(linkKey)}`
  return (
    <div
      className={cx(
        'flex h-7 items-center gap-0.5 text-faint max-sm:h-9',
        isBeside ? 'float-right -mt-0.5 ml-2' : 'justify-end',
      )}
    >
      <CopyButton value={value} label={text.conversation.copyMessage} className="size-7 max-sm:size-9" />
      {onEdit && canChat && (
        <>
          <IconButton
            label={text.conversation.editMessage}
            icon={Pencil}
            iconSize={15}
            onClick={onEdit}
            className="size-7 max-sm:size-9"
          />
          <RetryButton messageId={messageId} />
        </>
      )}
      {canChat && (
        <IconButton
          label={text.conversation.forkHere}
          icon={GitFork}
          iconSize={15}
          onClick={() => fork(messageId)}
          className="size-7 max-sm:size-9"
        />
      )}
      <Menu
        trigger={
          <IconButton
            label={text.conversation.messageMenu}
            icon={Ellipsis}
            iconSize={15}
            className="size-7 max-sm:size-9"
          />
        }
      >
        <MenuItem icon={Link} onSelect={() => copyText(link)}>
          {text.conversation.copyMessageLink}
        </MenuItem>
        {onEdit && canApprove && (
          <MenuItem icon={History} onSelect={() => setRewinding(true)}>
            {text.conversation.rewind}
          </MenuItem>
        )}
      </Menu>
      {time !== undefined && (
        <time dateTime={time} title={formatDateTime(time)} className="px-1 text-xs">
          {formatTime(time)}
        </time>
      )}
      {rewinding && <RewindDialog messageId={messageId} onClose={() => setRewinding(false)} />}
    </div>
  )
}

/** Sends the last message again as it was, once its turn is over. */
function RetryButton({ messageId }: { messageId: string }) {
  const { retry, busy } = useRetry(messageId)
  if (!retry) return null
  return (
    <IconButton
      label={text.conversation.retry}
      icon={RotateCcw}
      iconSize={15}
      disabled={busy}
      onClick={retry}
      className="size-7 max-sm:size-9"
    />
  )
}
