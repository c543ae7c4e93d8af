import type { EndpointResponse } from '@dorkos/shared'
import { useId } from 'react'
import { SafeText, withVisibleControls } from '../render/safe-text.tsx'
import { sequence } from '../render/sequence.ts'
import { text } from '../text/page-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

export type Added = EndpointResponse<'addMcpServers'>

interface AddedReportProps {
  added: Added
  onAgain: () => void
  onDone: () => void
}

/** What became of servers that were added: which are there, which are not and why, and what they still lack. */
export function AddedReport({
  added: { added, faults, fill_in: fillIn },
  onAgain,
  onDone,
}: AddedReportProps) {
  const words = text.mcp.add
  const report = useId()
  return (
    <div className="flex flex-col gap-3 pb-2">
      <div id={report} className="flex flex-col gap-3">
        <Notice tone={added.length > 0 ? 'ok' : 'neutral'}>
          {added.length > 0 ? words.added(added.map(withVisibleControls).join(', ')) : words.nothingAdded}
        </Notice>
        {faults.length > 0 && <Lines tone="danger" title={words.faults} lines={faults} />}
        {fillIn.length > 0 && <Lines tone="warn" title={words.fillIn} lines={fillIn} />}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onAgain}>{words.again}</Button>
        {/* The form that had the focus is gone: one goes on here, and hears what became of it. */}
        <Button variant="primary" autoFocus aria-describedby={report} onClick={onDone}>
          {words.done}
        </Button>
      </div>
    </div>
  )
}

export function Lines({
  tone,
  title,
  lines,
}: {
  tone: 'danger' | 'warn'
  title: string
  lines: readonly string[]
}) {
  return (
    <Notice tone={tone}>
      <p className="font-medium">{title}</p>
      <ul className="list-inside list-disc">
        {sequence(lines, (line) => (
          <li className="break-words">
            <SafeText text={line} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}
