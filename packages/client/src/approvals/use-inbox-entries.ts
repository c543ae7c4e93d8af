import type { Approval } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { useApprovals } from '../live/use-live.ts'
import { answers } from './answers.ts'
import { decisionOf } from './decision.ts'
import { firstEntries, type InboxEntries, nextEntries } from './inbox.ts'

/** What waits, and what was decided since the inbox was opened. */
export function useInboxEntries(): InboxEntries {
  const pending = useApprovals()
  const [entries, setEntries] = useState(() => firstEntries(pending))
  if (entries.pending === pending) return entries
  const next = nextEntries(entries, pending)
  setEntries(next)
  return next
}

/** The end of an approval that waits no more: as this page answered it, or as the server tells it. */
export function useEnd(approval: Approval, isGone: boolean): Approval | undefined {
  const answered = answers.get(approval.id).state === 'settled'
  const { data } = useQuery({
    queryKey: ['approvals', 'one', approval.id],
    queryFn: ({ signal }) => api.getApproval({ params: { id: approval.id }, signal }),
    enabled: isGone && !answered,
  })
  if (!isGone || answered) return approval
  return data && decisionOf(data) ? data : undefined
}
