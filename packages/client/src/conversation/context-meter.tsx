/** How full the context of a live session is, and with what. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { text } from '../text/text.ts'
import { formatCount } from '../ui/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Popover } from '../ui/popover.tsx'
import { type ContextUsage, readContextUsage } from './context-usage.ts'
import { MeterButton } from './meter-button.tsx'

/** `turns`: asked again when it changes. */
export function ContextMeter({ id, turns }: { id: string; turns: number }) {
  const query = useQuery({
    queryKey: ['context', id, turns],
    queryFn: ({ signal }) => api.getContextUsage({ params: { id }, signal }),
    staleTime: 60_000,
    retry: 1,
    placeholderData: (before) => before,
  })
  const usage = query.data === undefined ? undefined : readContextUsage(query.data)
  // Nothing to show yet, or the process has just ended.
  if (usage === undefined) return null
  return (
    <Popover
      label={text.conversation.contextTitle}
      align="end"
      trigger={
        <MeterButton
          aria-label={text.conversation.contextOf(usage.percent)}
          title={text.conversation.contextOf(usage.percent)}
        >
          <Ring percent={usage.percent} />
          {text.conversation.percent(usage.percent)}
        </MeterButton>
      }
    >
      <ContextDetails usage={usage} fault={query.isError} />
    </Popover>
  )
}

const circumference = 2 * Math.PI * 6

function Ring({ percent }: { percent: number }) {
  const colour = percent >= 90 ? 'stroke-danger' : percent >= 70 ? 'stroke-warn' : 'stroke-soft'
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 -rotate-90">
      <circle cx="8" cy="8" r="6" fill="none" strokeWidth="2.5" className="stroke-line" />
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        strokeWidth="2.5"
        strokeLinecap="round"
        className={colour}
        strokeDasharray={`${(percent / 100) * circumference} ${circumference}`}
      />
    </svg>
  )
}

function ContextDetails({ usage, fault }: { usage: ContextUsage; fault: boolean }) {
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
