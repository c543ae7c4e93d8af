/** How full the context of a live session is, and with what. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { text } from '../text/text.ts'
import { deferred } from '../ui/deferred.tsx'
import { Popover } from '../ui/popover.tsx'
import { readContextUsage } from './context-usage.ts'
import { MeterButton } from './meter-button.tsx'

const ContextDetails = deferred(async () => (await import('./context-details.tsx')).ContextDetails)

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
