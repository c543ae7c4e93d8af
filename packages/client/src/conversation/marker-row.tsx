import { CircleAlert, Gauge, Info, type LucideIcon, Minimize2, RefreshCw, RotateCcw, Zap } from 'lucide-react'
import type { MarkerItem } from '../live/page-session.ts'
import { useServerWords } from '../text/server-words.ts'
import { text } from '../text/text.ts'
import { cx } from '../ui/class-names.ts'
import { deferred } from '../ui/deferred.tsx'
import { formatDuration } from '../ui/format.ts'
import { toneClasses } from '../ui/notice.tsx'
import { type Marker, markerView } from './marker-text.ts'
import { useNow } from './use-now.ts'

const HookRow = deferred(async () => (await import('./hook-row.tsx')).HookRow)

const icons: Readonly<Record<Marker['type'], LucideIcon>> = {
  compaction: Minimize2,
  retry: RefreshCw,
  rate_limit: Gauge,
  notice: Info,
  error: CircleAlert,
  woken: Zap,
  taken_over: RotateCcw,
}

export function MarkerRow({ item }: { item: MarkerItem }) {
  const { marker } = item
  useServerWords()
  if (marker.type === 'hook') return <HookRow rowKey={item.key} {...marker} />
  const { words, more, tone } = markerView(marker)
  const Icon = icons[marker.type]
  if (tone === 'neutral') {
    return (
      <div className="flex items-center gap-3 py-2 text-xs text-faint">
        <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
        <span className="flex min-w-0 items-center gap-1.5" title={more || undefined}>
          <Icon aria-hidden size={13} className="shrink-0" />
          <span className="min-w-0">
            {words}
            {more !== '' && <bdi className="hidden sm:inline">{text.conversation.andMore(more)}</bdi>}
          </span>
        </span>
        <span aria-hidden className="h-px min-w-4 flex-1 bg-line" />
      </div>
    )
  }
  return (
    <div className="py-1.5">
      <div className={cx('flex items-start gap-2 rounded-lg px-3 py-2 text-sm', toneClasses[tone])}>
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]" dir="auto">
          <p>
            {words}
            {marker.type === 'retry' && marker.waiting && marker.delayMs !== undefined && (
              <RetryIn time={item.time} delayMs={marker.delayMs} />
            )}
          </p>
          {more !== '' && <p className="text-xs opacity-90">{more}</p>}
        </div>
      </div>
    </div>
  )
}

/** Counts down to the next try, until its answer comes. */
function RetryIn({ time, delayMs }: { time: string; delayMs: number }) {
  const at = Date.parse(time) + delayMs
  const now = useNow(at > Date.now())
  const left = at - now
  const words =
    left > 0
      ? text.conversation.retryIn(formatDuration(Math.ceil(left / 1000) * 1000))
      : text.conversation.retried
  return <span className="tabular-nums">{text.conversation.andMore(words)}</span>
}
