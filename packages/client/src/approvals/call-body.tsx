import type { Approval } from '@dorkos/shared'
import type { ReactNode } from 'react'
import { Diff } from '../render/diff.tsx'
import { JsonView } from '../render/json-view.tsx'
import { SafeText } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/card-text.ts'
import { Badge } from '../ui/badge.tsx'
import { formatDuration } from '../ui/format.ts'
import { type CallChange, type CallView, callView } from './call-view.ts'
import { WholeText } from './whole-text.tsx'

/** All that a call would do: the command, the changes, or the input as it is. */
export function CallBody({ approval }: { approval: Pick<Approval, 'tool' | 'input'> }) {
  const view = callView(approval)
  if (view.kind === 'other') return <JsonView value={view.input} whole />
  return (
    <div className="flex flex-col gap-2">
      <ViewBody view={view} />
      {Object.keys(view.rest).length > 0 && (
        <div>
          <p className="text-xs text-soft">{text.approvals.input.more}</p>
          <JsonView value={view.rest} whole />
        </div>
      )}
    </div>
  )
}

function ViewBody({ view }: { view: Exclude<CallView, { kind: 'other' }> }) {
  const t = text.approvals.input
  switch (view.kind) {
    case 'command':
      return <Command view={view} />
    case 'changes':
      return sequence(view.changes, (change, index) => (
        <OneChange
          file={view.file}
          change={change}
          label={view.changes.length > 1 ? t.edit(index + 1, view.changes.length) : undefined}
        />
      ))
    case 'write':
      return (
        <Labelled label={t.wholeFile}>
          <Diff before="" after={view.content} fileName={view.file} whole />
        </Labelled>
      )
    case 'cell':
      return (
        <Labelled label={view.deletes ? t.deletesCell : t.cell}>
          {view.deletes ? (
            <Path path={view.file} />
          ) : (
            <Diff before="" after={view.content} fileName={view.file} whole />
          )}
        </Labelled>
      )
  }
}

function Command({ view }: { view: Extract<CallView, { kind: 'command' }> }) {
  const t = text.approvals.input
  const isSpecial = view.background || view.timeoutMs !== undefined || view.outsideSandbox
  return (
    <>
      {view.description && (
        <p dir="auto" className="text-sm break-words text-soft">
          <SafeText text={view.description} />
        </p>
      )}
      <WholeText label={t.command} value={view.command} terminal />
      {isSpecial && (
        <div className="flex flex-wrap gap-1.5">
          {view.outsideSandbox && <Badge tone="danger">{t.noSandbox}</Badge>}
          {view.background && <Badge>{t.background}</Badge>}
          {view.timeoutMs !== undefined && <Badge>{t.timeout(formatDuration(view.timeoutMs))}</Badge>}
        </div>
      )}
    </>
  )
}

function OneChange({ file, change, label }: { file: string; change: CallChange; label: string | undefined }) {
  return (
    <Labelled
      label={[label, change.replaceAll && text.approvals.input.replaceAll].filter(Boolean).join(' · ')}
    >
      <Diff before={change.before} after={change.after} fileName={file} whole />
    </Labelled>
  )
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      {label && <p className="pb-1 text-xs text-soft">{label}</p>}
      {children}
    </div>
  )
}

function Path({ path }: { path: string }) {
  return (
    <p className="font-mono text-sm break-all">
      <SafeText text={path} />
    </p>
  )
}
