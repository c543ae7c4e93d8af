import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, errorText } from '../api.ts'
import { toast } from '../ui/toast.tsx'
import { clearDraft, draftOf, returnToDraft } from './drafts.ts'

/** Goes on in a copy of the session. What is being written comes along. */
export function useFork(sessionId: string): { busy: boolean; run: () => Promise<void> } {
  const [busy, setBusy] = useState(false)
  const [, navigate] = useLocation()
  const run = async () => {
    setBusy(true)
    try {
      const fork = await api.forkSession({ params: { id: sessionId }, body: {} })
      const { text, attachments } = draftOf(sessionId)
      returnToDraft(fork.id, text, attachments)
      clearDraft(sessionId)
      navigate(`/sessions/${fork.id}`)
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
