/** What the agent changed since the session began: in total and by turn, to look at, put back and commit. */
import type { ChangeSpan, SessionChanges } from '@dorkos/shared'
import { FileDiff as FileDiffIcon } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import type { PageSession } from '../live/page-session.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Notice } from '../ui/notice.tsx'
import { Empty } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Segments } from '../ui/segments.tsx'
import { Time } from '../ui/time.tsx'
import { ChangedFileView } from './changed-file.tsx'
import { CommitForm } from './commit-form.tsx'
import { useChanges } from './use-changes.ts'

export function ChangesTab({ state }: { state: PageSession }) {
  const changes = useChanges(state)
  return (
    <div className="flex h-full flex-col overflow-y-auto">
      <QueryView query={changes}>{(data) => <Changes state={state} changes={data} />}</QueryView>
    </div>
  )
}

function Changes({ state, changes }: { state: PageSession; changes: SessionChanges }) {
  const [view, setView] = useState<'total' | 'turns'>('total')
  const mayApprove = useCan('approve')
  const { files, spans, complete } = changes
  if (spans.length === 0)
    return (
      <div className="flex flex-col gap-3 p-3">
        {!complete && <Notice tone="warn">{text.changes.incomplete}</Notice>}
        <Empty icon={FileDiffIcon} title={text.changes.none}>
          {text.changes.noneHint}
        </Empty>
      </div>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <p className="flex-1 text-sm text-soft">{text.changes.changed(files.length)}</p>
        <Segments
          label={text.changes.view}
          hideLabel
          value={view}
          onChange={setView}
          options={[
            { value: 'total', label: text.changes.total },
            { value: 'turns', label: text.changes.byTurn },
          ]}
        />
      </div>
      {(!complete || !mayApprove) && (
        <div className="flex flex-col gap-2 px-3 pb-2">
          {!complete && <Notice tone="warn">{text.changes.incomplete}</Notice>}
          {!mayApprove && <Notice>{text.changes.needsApprove}</Notice>}
        </div>
      )}
      {view === 'total' ? (
        <ul className="border-y border-line">
          {files.map((file) => (
            <ChangedFileView key={file.path} sessionId={state.id} file={file} />
          ))}
        </ul>
      ) : (
        spans.toReversed().map((span) => <Span key={span.id} sessionId={state.id} span={span} />)
      )}
      {mayApprove && files.length > 0 && (
        <CommitForm state={state} of={files.map(({ path, hash }) => `${path} ${hash}`).join('\n')} />
      )}
    </>
  )
}

function Span({ sessionId, span }: { sessionId: string; span: ChangeSpan }) {
  const { kind, time, running, files, outside } = span
  return (
    <section className="border-t border-line">
      <h3 className="flex items-center gap-2 bg-raised px-3 py-1.5 text-sm font-medium">
        {text.changes.spans[kind]}
        <Time value={time} className="text-xs font-normal text-soft" />
        {running && <Badge tone="running">{text.changes.running}</Badge>}
      </h3>
      <ul>
        {files.map((file) => (
          <ChangedFileView key={file.path} sessionId={sessionId} file={file} span={span.id} />
        ))}
      </ul>
      {outside.length > 0 && (
        <div className="px-3 py-2 text-sm text-soft">
          {text.changes.outside}
          <ul className="font-mono text-xs">
            {outside.map((path) => (
              <li key={path} className="break-all">
                <SafeText text={path} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
