import {
  Ban,
  Check,
  CircleAlert,
  CircleHelp,
  CircleSlash,
  CircleStop,
  Hourglass,
  type LucideIcon,
  PenLine,
  UserRound,
} from 'lucide-react'
import type { ToolStatus } from '../../live/page-session.ts'
import { text } from '../../text/text.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatDuration } from '../../ui/format.ts'
import type { Tone } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useNow } from '../use-now.ts'

const looks: Readonly<Record<Exclude<ToolStatus, 'done' | 'running'>, { tone: Tone; icon: LucideIcon }>> = {
  writing: { tone: 'neutral', icon: PenLine },
  waiting: { tone: 'attention', icon: UserRound },
  failed: { tone: 'danger', icon: CircleAlert },
  denied: { tone: 'denied', icon: Ban },
  expired: { tone: 'warn', icon: Hourglass },
  void: { tone: 'neutral', icon: CircleSlash },
  interrupted: { tone: 'neutral', icon: CircleStop },
  unknown: { tone: 'warn', icon: CircleHelp },
}

/** How far a call is: by its word, a sign and a colour. What went well is quiet. */
export function ToolStatusView({ status, note }: { status: ToolStatus; note?: string | undefined }) {
  const word = text.conversation.toolStates[status]
  if (status === 'running') {
    return (
      <span className="inline-flex items-center gap-1.5 text-xs text-soft">
        <span className="text-running">
          <Spinner size={13} />
        </span>
        {note ?? word}
      </span>
    )
  }
  if (status === 'done') {
    return (
      <span className="inline-flex items-center text-xs text-faint" title={word}>
        {note}
        <Check aria-hidden size={14} className="ml-1 text-ok" />
        <span className="sr-only">{word}</span>
      </span>
    )
  }
  const { tone, icon: Icon } = looks[status]
  const hints: Readonly<Partial<Record<ToolStatus, string>>> = text.conversation.toolStateHints
  const hint = hints[status]
  return (
    <Badge tone={tone} {...(hint !== undefined && { title: hint })}>
      <Icon aria-hidden size={12} /> {note ?? word}
    </Badge>
  )
}

/** For a call that stands behind one that a person is asked about. */
export function NotStarted() {
  return (
    <Badge tone="neutral" title={text.conversation.notStartedHint}>
      <Hourglass aria-hidden size={12} /> {text.conversation.notStarted}
    </Badge>
  )
}

/** Counts while the call runs; then says how long it took. */
export function ToolTime({ startMs, endMs }: { startMs: number; endMs: number | undefined }) {
  const now = useNow(endMs === undefined)
  const ms = (endMs ?? now) - startMs
  if (!Number.isFinite(ms) || ms < 0) return null
  const whole = endMs === undefined ? Math.floor(ms / 1000) * 1000 : ms
  // Less is no news.
  if (whole < (endMs === undefined ? 2000 : 100)) return null
  return <span className="text-xs text-faint tabular-nums">{formatDuration(whole)}</span>
}
