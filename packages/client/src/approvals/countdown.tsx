import { Clock } from 'lucide-react'
import { text } from '../text/card-text.ts'
import { cx } from '../ui/class-names.ts'
import { formatDateTime, formatDuration } from '../ui/format.ts'
import { useCountdown } from './use-countdown.ts'

/** How long there is still to answer. */
export function Countdown({ deadline }: { deadline: string }) {
  const left = useCountdown(deadline)
  const t = text.approvals.countdown
  return (
    <span
      role="timer"
      title={t.until(formatDateTime(deadline))}
      className={cx(
        'inline-flex shrink-0 items-center gap-1 text-xs tabular-nums',
        left < 60_000 ? 'text-danger' : left < 600_000 ? 'text-warn' : 'text-soft',
      )}
    >
      <Clock aria-hidden size={13} />
      {left <= 0 ? t.over : t.left(formatDuration(roundUp(left)))}
    </span>
  )
}

/** Whole seconds at the end, whole minutes before. */
function roundUp(ms: number): number {
  const step = ms > 600_000 ? 60_000 : 1000
  return Math.max(Math.ceil(ms / step) * step, 1000)
}
