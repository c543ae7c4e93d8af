/** A message that was sent, to be sent again: in its place if it is the last, else in a fork that ends before it. */
import type { MessageContent } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { fromContent, toContent, type Written } from '../composer/message-content.ts'
import type { UserItem } from '../live/page-session.ts'
import { putSession } from '../sessions/page-cache.ts'
import { text } from '../text/resend-text.ts'
import { Button } from '../ui/button.tsx'
import { Textarea } from '../ui/field.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { toast } from '../ui/toast.tsx'
import { useConversation } from './conversation-context.tsx'
import { RestoreChoice } from './restore-choice.tsx'
import { useCommand } from './session-commands.ts'
import { useRestore } from './use-restore.ts'

/** Events leave pictures out: the turn has them. */
const turnsLoaded = 500

export function EditMessage({ item, onClose }: { item: UserItem; onClose: () => void }) {
  const { sessionId } = useConversation()
  const sent = useQuery({
    queryKey: ['sent-message', sessionId, item.messageId],
    queryFn: async (): Promise<Written> => {
      const { turns } = await api.listTurns({ params: { id: sessionId }, query: { limit: turnsLoaded } })
      return fromContent(turns.find(({ id }) => id === item.messageId)?.content ?? item.content)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return <QueryView query={sent}>{(written) => <Editor {...{ written, item, onClose }} />}</QueryView>
}

function Editor({ written, item, onClose }: { written: Written; item: UserItem; onClose: () => void }) {
  const { lastMessageId, isWorking, canApprove, follow } = useConversation()
  const isLast = item.messageId === lastMessageId
  const [value, setValue] = useState(written.text)
  const send = useResend(item.messageId)
  const restore = useRestore(item.messageId)
  const putsBack = !isLast && !isWorking && restore.isOn
  const [run, busy] = useCommand()
  const { resend: words } = text
  // What would be done is seen before it is.
  const reason = putsBack && restore.preview.data === undefined ? words.restoring : undefined
  const save = () => {
    if (value.trim() === '' && written.attachments.length === 0) return toast.error(words.empty)
    run(async () => {
      if (putsBack) await restore.run()
      await send(toContent(value, written.attachments), isLast)
      onClose()
      follow()
    })
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      if (reason === undefined) save()
      else toast.info(reason)
    } else return
    event.preventDefault()
  }
  const label = isLast ? (isWorking ? words.stopAndSend : words.send) : words.sendInFork
  return (
    <div className="flex w-[min(100%,42rem)] flex-col gap-2">
      <Textarea
        autoFocus
        dir="auto"
        aria-label={words.editLabel}
        value={value}
        rows={Math.min(12, value.split('\n').length + 1)}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={keys}
      />
      <p className="text-xs text-soft">
        {isLast ? words.lastHint : words.forkHint}
        {written.attachments.length > 0 && ` ${words.stays(written.attachments.length)}.`}
      </p>
      {!isLast && canApprove && <RestoreChoice restore={restore} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="sm" onClick={onClose}>
          {text.ui.cancel}
        </Button>
        <ReasonButton size="sm" variant="primary" busy={busy} reason={reason} onClick={save}>
          {label}
        </ReasonButton>
      </div>
    </div>
  )
}

function useResend(messageId: string): (content: MessageContent, isLast: boolean) => Promise<void> {
  const { sessionId } = useConversation()
  const [, navigate] = useLocation()
  return async (content, isLast) => {
    if (isLast) {
      await api.resendMessage({ params: { id: sessionId, messageId }, body: { content } })
      return
    }
    const body = { message_id: messageId, before: true }
    const fork = await api.forkSession({ params: { id: sessionId }, body })
    putSession(fork)
    await api.sendMessage({ params: { id: fork.id }, body: { content } })
    navigate(`/sessions/${fork.id}`)
  }
}
