/** What can be done with a message. */
import { Ellipsis, GitFork, History, Link } from 'lucide-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { deferred } from '../ui/deferred.tsx'
import { formatDateTime, formatTime } from '../ui/format.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { useConversation } from './conversation-context.tsx'
import { copyText, useFork } from './session-commands.ts'

const RewindDialog = deferred(async () => (await import('./rewind-dialog.tsx')).RewindDialog)

/** What is said on the way: the end of the turn has the same for what was said last. A tap gives it the focus. */
const shownByPointer =
  'group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-[[data-state=open]]:opacity-100'

interface MessageToolsProps {
  value: string
  linkKey: string
  messageId: string
  /** Absent where it is shown beside these. */
  time?: string
  /** Files can be put back to before it: a person's message. */
  rewinds?: boolean
  /** Over the message's corner, where it takes no room; else below it. */
  floats?: boolean
}

export function MessageTools({ value, linkKey, messageId, time, rewinds, floats }: MessageToolsProps) {
  const { sessionId, canChat, canApprove } = useConversation()
  const fork = useFork(sessionId)
  const [rewinding, setRewinding] = useState(false)
  const link = `${location.origin}/sessions/${sessionId}#${encodeURIComponent(linkKey)}`
  return (
    <div
      className={cx(
        'flex h-7 items-center gap-0.5 text-faint max-sm:h-9',
        floats
          ? `absolute -top-2 right-0 z-10 rounded-md border border-line bg-card px-0.5 opacity-0 shadow-sm transition-opacity ${shownByPointer}`
          : 'justify-end',
      )}
    >
      <CopyButton value={value} label={text.conversation.copyMessage} className="size-7 max-sm:size-9" />
      {!floats && (
        <IconButton
          label={text.conversation.forkHere}
          icon={GitFork}
          iconSize={15}
          disabled={!canChat}
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
        {floats && (
          <MenuItem icon={GitFork} disabled={!canChat} onSelect={() => fork(messageId)}>
            {text.conversation.forkHere}
          </MenuItem>
        )}
        <MenuItem icon={Link} onSelect={() => copyText(link)}>
          {text.conversation.copyMessageLink}
        </MenuItem>
        {rewinds && (
          <MenuItem icon={History} disabled={!canApprove} onSelect={() => setRewinding(true)}>
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
