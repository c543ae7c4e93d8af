/** What people do with a session, with what went wrong shown at the edge of the page. */
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, errorText } from '../api.ts'
import { forkSession } from '../sessions/session-actions.ts'
import { text } from '../text/text.ts'
import { toast } from '../ui/toast.tsx'
import { useConversation } from './conversation-context.tsx'

/** Runs one thing at a time; says what went wrong. */
export function useCommand(): [run: (work: () => Promise<unknown>) => void, busy: boolean] {
  const [busy, setBusy] = useState(false)
  const run = (work: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    work()
      .catch((error: unknown) => toast.error(errorText(error)))
      .finally(() => setBusy(false))
  }
  return [run, busy]
}

/** Forks a session, up to a message if one is named, and goes there. */
export function useFork(id: string): (messageId?: string) => void {
  const [, navigate] = useLocation()
  const [run] = useCommand()
  return (messageId) =>
    run(async () => {
      const fork = await forkSession(id, messageId)
      if (fork !== undefined) navigate(`/sessions/${fork}`)
    })
}

/** Sends the last message again as it was. Absent where that cannot be: it is not the last, its turn runs, or this browser may not. */
export function useRetry(messageId: string): { retry?: () => void; busy: boolean } {
  const { sessionId, lastMessageId, isWorking, canChat, follow } = useConversation()
  const [run, busy] = useCommand()
  if (!canChat || isWorking || messageId !== lastMessageId) return { busy }
  const retry = () =>
    run(async () => {
      await api.resendMessage({ params: { id: sessionId, messageId }, body: {} })
      follow()
    })
  return { retry, busy }
}

export function copyText(value: string): void {
  navigator.clipboard.writeText(value).then(
    () => toast.ok(text.conversation.copied),
    () => toast.error(text.ui.copyFailed),
  )
}
