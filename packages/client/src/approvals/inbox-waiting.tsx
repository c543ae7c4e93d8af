import type { Approval } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useHash } from '../browser/use-hash.ts'
import { useMedia } from '../browser/use-media.ts'
import { useApprovals } from '../live/use-live.ts'
import { useSessionName } from '../queries/use-names.ts'
import { text } from '../text/card-text.ts'
import { Empty } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { answers } from './answers.ts'
import { BatchBar } from './approval-batch.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { batchOf } from './batch.ts'
import { decisionOf } from './decision.ts'
import { firstEntries, type InboxEntries, type InboxGroup, nextEntries, shownGroups } from './inbox.ts'
import { InboxList } from './inbox-list.tsx'

/** A list with details beside it where there is room; else one card below the other. */
export function InboxWaiting() {
  const entries = useInboxEntries()
  const isWide = useMedia('(min-width: 64rem)')
  const t = text.approvals.inbox
  if (entries.pending.length + entries.gone.length === 0)
    return (
      <Empty icon={Inbox} title={t.empty}>
        {t.emptyMeans}
      </Empty>
    )
  return isWide ? <Beside entries={entries} /> : <Below entries={entries} />
}

function Beside({ entries }: { entries: InboxEntries }) {
  const groups = shownGroups(entries)
  const all = groups.flatMap(({ approvals }) => approvals)
  const [id, select] = useSelected(entries.order)
  const selected = all.find((one) => one.id === id)
  return (
    <div className="grid grid-cols-[19rem_minmax(0,1fr)] items-start gap-4">
      <InboxList groups={groups} gone={entries.gone} selected={selected?.id} onSelect={select} />
      {selected && (
        <div className="flex min-w-0 flex-col gap-3">
          <Entry key={selected.id} approval={selected} entries={entries} variant="inbox" />
          <GroupBatch sessionId={selected.session_id} entries={entries} />
        </div>
      )}
    </div>
  )
}

/** What the address names or else the first, until another one is chosen: what comes in never takes the place of what is shown. */
function useSelected(order: readonly string[]): [string | undefined, (id: string) => void] {
  const hash = useHash() ?? ''
  const [chosen, setChosen] = useState<{ hash: string; id: string }>()
  const wanted = chosen?.hash === hash ? chosen.id : hash
  const id = order.includes(wanted) ? wanted : order[0]
  if (id !== undefined && (chosen?.hash !== hash || chosen.id !== id)) setChosen({ hash, id })
  return [id, (next) => setChosen({ hash, id: next })]
}

function Below({ entries }: { entries: InboxEntries }) {
  const groups = shownGroups(entries)
  return (
    <div className="flex flex-col gap-6">
      {groups.map((group) => (
        <Group key={group.key} group={group} entries={entries} />
      ))}
    </div>
  )
}

function Group({ group, entries }: { group: InboxGroup; entries: InboxEntries }) {
  const name = useSessionName(group.sessionId)
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-3">
      <h2 className="truncate text-sm font-semibold">
        <Link href={`/sessions/${group.sessionId}`} className="hover:underline" title={name}>
          <bdi>{name}</bdi>
        </Link>
      </h2>
      {group.approvals.map((approval) => (
        <Entry key={approval.id} approval={approval} entries={entries} variant="flow" />
      ))}
    </section>
  )
}

interface EntryProps {
  approval: Approval
  entries: InboxEntries
  variant: 'flow' | 'inbox'
}

function Entry({ approval, entries, variant }: EntryProps) {
  const end = useEnd(approval, entries.gone.includes(approval))
  return end ? <ApprovalCard approval={end} variant={variant} /> : <Spinner label={text.ui.loading} />
}

function GroupBatch({ sessionId, entries }: { sessionId: string; entries: InboxEntries }) {
  const batch = batchOf(entries.pending, sessionId, answers.get)
  return batch.length > 1 ? <BatchBar key={sessionId} batch={batch} /> : null
}

/** What waits, and what was decided since the inbox was opened. */
function useInboxEntries(): InboxEntries {
  const pending = useApprovals()
  const [entries, setEntries] = useState(() => firstEntries(pending))
  if (entries.pending === pending) return entries
  const next = nextEntries(entries, pending)
  setEntries(next)
  return next
}

/** The end of an approval that waits no more: as this page answered it, or as the server returns it. */
function useEnd(approval: Approval, isGone: boolean): Approval | undefined {
  const answered = answers.get(approval.id).state === 'settled'
  const { data } = useQuery({
    queryKey: ['approvals', 'one', approval.id],
    queryFn: ({ signal }) => api.getApproval({ params: { id: approval.id }, signal }),
    enabled: isGone && !answered,
  })
  if (!isGone || answered) return approval
  return data && decisionOf(data) ? data : undefined
}
