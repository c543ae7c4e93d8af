/** One changed file: what it is, what changed in it, and the ways to take that back. */
import type { ChangeSpan, FileComparison, Hunk, ChangedFile as TotalFile } from '@dorkos/shared'
import { FileMinus2, FilePen, FilePlus2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../auth/auth-store.ts'
import { useCommand } from '../conversation/session-commands.ts'
import { SafeText } from '../render/safe-text.tsx'
import { text } from '../text/panel-text.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Segments } from '../ui/segments.tsx'
import { FileDiff, WholeFile } from './file-diff.tsx'
import { type AskReason, askReason, revert, useComparison, useStale } from './use-changes.ts'

type ListedFile = ChangeSpan['files'][number] & Partial<TotalFile>

interface ChangedFileProps {
  sessionId: string
  file: ListedFile
  /** Of a turn; absent: in total. */
  span?: string | undefined
}

const icons = { created: FilePlus2, modified: FilePen, deleted: FileMinus2 }

export function ChangedFileView({ sessionId, file, span }: ChangedFileProps) {
  const { path, change, by, changed_since } = file
  const Icon = icons[change]
  const cut = path.lastIndexOf('/') + 1
  return (
    <li className="border-b border-line last:border-b-0">
      <Disclosure
        look="head"
        bodyClassName="bg-card pb-1"
        label={
          <>
            <Icon aria-hidden size={15} className="shrink-0 text-soft" />
            <span className="sr-only">{text.changes.kinds[change]}</span>
            <bdi className="min-w-0 flex-1 truncate" title={path}>
              <span className="font-medium">
                <SafeText text={path.slice(cut)} />
              </span>{' '}
              <span className="text-xs text-soft">
                <SafeText text={path.slice(0, cut)} />
              </span>
            </bdi>
            {changed_since && (
              <Badge tone="warn" title={text.changes.changedSinceHint}>
                {text.changes.changedSince}
              </Badge>
            )}
            {by !== 'agent' && <Badge title={text.changes.byHint[by]}>{text.changes.by[by]}</Badge>}
          </>
        }
      >
        <Opened sessionId={sessionId} file={file} span={span} />
      </Disclosure>
    </li>
  )
}

function Opened({ sessionId, file, span }: ChangedFileProps) {
  const comparison = useComparison(sessionId, file.path, span, file.hash ?? '')
  return (
    <QueryView query={comparison}>
      {(data) => <Comparison sessionId={sessionId} file={file} span={span} comparison={data} />}
    </QueryView>
  )
}

type Wanted = { hunk?: Hunk; reason: AskReason } | undefined

function Comparison({
  sessionId,
  file,
  span,
  comparison,
}: ChangedFileProps & { comparison: FileComparison }) {
  const [view, setView] = useState<'diff' | 'file'>('diff')
  const [asking, setAsking] = useState<Wanted>()
  const [run, busy] = useCommand()
  const stale = useStale(sessionId)
  const mayRevert = useCan('approve')
  const { path, hash } = comparison
  const doRevert = async (hunk: Hunk | undefined, alsoOthers: boolean) => {
    const reason = await revert(sessionId, { path, span, hash, alsoOthers, ...(hunk && { hunk }) })
    if (reason) setAsking({ reason, ...(hunk && { hunk }) })
    else await stale()
  }
  const begin = (hunk?: Hunk) => {
    const reason = askReason(comparison)
    if (reason) setAsking({ reason, ...(hunk && { hunk }) })
    else run(() => doRevert(hunk, false))
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-1.5">
        <Segments
          label={text.changes.view}
          hideLabel
          value={view}
          onChange={setView}
          options={[
            { value: 'diff', label: text.changes.diff },
            { value: 'file', label: text.changes.file },
          ]}
        />
        <span className="flex-1" />
        {mayRevert && file.restorable && (
          <Button size="sm" icon={Undo2} busy={busy} onClick={() => begin()}>
            {span === undefined ? text.changes.revertFile : text.changes.revertSpan}
          </Button>
        )}
      </div>
      {view === 'diff' ? (
        <FileDiff comparison={comparison} onRevert={mayRevert && file.restorable ? begin : undefined} />
      ) : (
        <WholeFile comparison={comparison} />
      )}
      {asking && (
        <Confirm
          open
          danger
          onClose={() => setAsking(undefined)}
          title={text.changes.confirmTitle}
          message={text.changes.confirm[asking.reason]}
          action={text.changes.confirmAction}
          onConfirm={() => doRevert(asking.hunk, true)}
        />
      )}
    </>
  )
}
