import type { Approval, ApprovalState } from '@dorkos/shared'
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { useSessionName } from '../queries/use-names.ts'
import { JsonView } from '../render/json-view.tsx'
import { withVisibleControls } from '../render/safe-text.tsx'
import { text } from '../text/card-text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { Field, Input, Select } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { CallBody } from './call-body.tsx'
import { subjectOf } from './call-view.ts'
import { asItRan, decisionOf } from './decision.ts'
import { DecisionLine } from './decision-line.tsx'
import { type DecidedFilter, decidedOnes } from './inbox.ts'
import { ToolLabel } from './tool-label.tsx'

type Ended = Exclude<ApprovalState, 'pending'>
const states: readonly Ended[] = ['allowed', 'denied', 'expired', 'void']
const kinds: readonly Approval['kind'][] = ['tool', 'question', 'plan', 'elicitation']
const most = 200

export interface DecidedView {
  readonly state: Ended | 'all'
  readonly filter: DecidedFilter
}

/** Everything. */
export const wholeView: DecidedView = { state: 'all', filter: { kind: '', words: '' } }

/** How many fields leave something out. */
export function activeFields({ state, filter }: DecidedView): number {
  return [state !== 'all', filter.kind !== '', filter.words.trim() !== ''].filter(Boolean).length
}

/** What was decided of late. */
export function InboxDecided({ view, fields }: { view: DecidedView; fields: ReactNode }) {
  const { state, filter } = view
  const query = useQuery({
    queryKey: ['approvals', 'decided', state],
    queryFn: ({ signal }) => api.listApprovals({ query: { state, limit: most }, signal }),
  })
  return (
    <div className="flex flex-col gap-3">
      {fields}
      <QueryView query={query}>
        {({ approvals }) => <Decided approvals={decidedOnes(approvals, filter)} />}
      </QueryView>
    </div>
  )
}

interface DecidedFiltersProps {
  view: DecidedView
  onChange: (view: DecidedView) => void
}

export function DecidedFilters({ view, onChange }: DecidedFiltersProps) {
  const { state, filter } = view
  const setState = (next: Ended | 'all') => onChange({ ...view, state: next })
  const setFilter = (next: DecidedFilter) => onChange({ ...view, filter: next })
  const t = text.approvals.inbox
  return (
    <div className="grid gap-3 sm:grid-cols-[12rem_12rem_minmax(0,1fr)]">
      <Field label={t.filterState}>
        {(ids) => (
          <Select
            {...ids}
            value={state}
            onChange={({ target }) => setState(states.find((one) => one === target.value) ?? 'all')}
          >
            <option value="all">{t.anyState}</option>
            {states.map((one) => (
              <option key={one} value={one}>
                {t.states[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.filterKind}>
        {(ids) => (
          <Select
            {...ids}
            value={filter.kind}
            onChange={({ target }) =>
              setFilter({ ...filter, kind: kinds.find((one) => one === target.value) ?? '' })
            }
          >
            <option value="">{t.anyKind}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {t.kinds[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.filterText}>
        {(ids) => (
          <Input
            {...ids}
            type="search"
            value={filter.words}
            onChange={({ target }) => setFilter({ ...filter, words: target.value })}
          />
        )}
      </Field>
    </div>
  )
}

function Decided({ approvals }: { approvals: Approval[] }) {
  const t = text.approvals.inbox
  if (approvals.length === 0)
    return (
      <Empty icon={History} title={t.emptyDecided}>
        {t.emptyDecidedMeans}
      </Empty>
    )
  return (
    <>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-card">
        {approvals.map((approval) => (
          <li key={approval.id} className="min-w-0">
            <DecidedRow approval={approval} />
          </li>
        ))}
      </ul>
      {approvals.length >= most && <p className="text-xs text-soft">{t.newest(most)}</p>}
    </>
  )
}

function DecidedRow({ approval }: { approval: Approval }) {
  const session = useSessionName(approval.session_id)
  const decision = decisionOf(approval)
  const words = withVisibleControls(subjectOf(approval))
  const t = text.approvals.inbox
  const label = (
    <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
      <span className="flex min-w-0 items-baseline gap-2 text-sm">
        <span className="max-w-[60%] shrink-0 font-medium [overflow-wrap:anywhere]">
          {approval.kind === 'tool' ? <ToolLabel tool={approval.tool} /> : t.kind[approval.kind]}
        </span>
        {words !== '' && (
          <span dir="auto" title={words} className="min-w-0 truncate font-mono text-xs text-soft">
            {words}
          </span>
        )}
      </span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
        {decision && <DecisionLine decision={decision} kind={approval.kind} />}
        <bdi className="ml-auto max-w-full truncate text-xs text-faint max-sm:ml-0" title={session}>
          {session}
        </bdi>
      </span>
    </span>
  )
  return (
    <Disclosure look="tall" label={label} bodyClassName="flex min-w-0 flex-col gap-2 px-3 pt-1 pb-3 sm:pl-8">
      <Link href={`/sessions/${approval.session_id}`} className="truncate text-xs link">
        <bdi>{session}</bdi>
      </Link>
      <CallBody approval={asItRan(approval)} />
      {approval.answer !== undefined && <JsonView value={approval.answer} />}
    </Disclosure>
  )
}
