/** What fills the context. */
import { text } from '../text/text.ts'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import type { ContextUsage } from './context-usage.ts'

export function ContextDetails({ usage, fault }: { usage: ContextUsage; fault: boolean }) {
  const used = usage.parts.filter(({ kind, tokens }) => kind === 'used' && tokens > 0)
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">{text.conversation.contextTitle}</h3>
      <p className="text-xs text-soft">
        {text.conversation.contextUsed(formatCount(usage.used), formatCount(usage.most))}
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-raised">
        <div className="h-full bg-chart" style={{ width: `${usage.percent}%` }} />
      </div>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-xs">
        {used.map(({ name, tokens }) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="truncate text-soft">{name}</dt>
            <dd className="text-right tabular-nums">{formatCount(tokens)}</dd>
          </div>
        ))}
      </dl>
      {usage.compactsAt !== undefined && (
        <p className="text-xs text-faint">{text.conversation.contextCompacts(usage.compactsAt)}</p>
      )}
      {fault && <Notice tone="warn">{text.conversation.contextFault}</Notice>}
    </div>
  )
}
