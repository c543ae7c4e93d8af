import type { Session } from '@dorkos/shared'
import { Pin, SquareTerminal } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import { text } from '../text/text.ts'
import { StateGlyph } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { Time } from '../ui/time.tsx'
import { markLabel, markLook, markOf } from './session-mark.ts'
import { SessionMenu } from './session-menu.tsx'
import { sessionTitle } from './session-title.ts'

interface SessionRowProps {
  session: Session
  current: boolean
  unread: boolean
  /** For the arrow keys of the list. */
  index: number
  /** Said of it where there is room: how it ended, what it cost. */
  more?: string | undefined
}

export const SessionRow = memo(function SessionRow({
  session,
  current,
  unread,
  index,
  more,
}: SessionRowProps) {
  const mark = markOf(session, unread)
  const title = sessionTitle(session)
  const isQuiet = mark === 'idle' || mark === 'unread'
  return (
    <div
      className={cx(
        'group relative flex items-center rounded-md hover:bg-hover focus-within:bg-hover',
        current && 'bg-hover',
      )}
    >
      <Link
        href={`/sessions/${session.id}`}
        aria-current={current ? 'page' : undefined}
        data-row={index}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2 group-focus-within:pr-9 group-hover:pr-9 max-md:min-h-11 pointer-coarse:pr-11"
      >
        <StateGlyph {...markLook(mark)} />
        <span
          dir="auto"
          title={title}
          className={cx('min-w-0 flex-1 truncate text-sm', unread && 'font-semibold')}
        >
          {title}
        </span>
        <span className="flex shrink-0 items-center gap-1.5 text-xs whitespace-nowrap text-faint">
          {(session.origin === 'terminal' || session.in_use_elsewhere) && (
            <span title={session.in_use_elsewhere ? text.sessions.elsewhereHint : text.sessions.terminalHint}>
              <SquareTerminal role="img" aria-label={text.sessions.terminal} size={12} />
            </span>
          )}
          {session.pinned && <Pin role="img" aria-label={text.sessions.pinned} size={11} />}
          {more !== undefined && <span>{more}</span>}
          {isQuiet || more !== undefined ? (
            <Time value={session.updated_at} className="max-w-24 truncate" />
          ) : (
            <span className={cx(mark === 'needs-you' && 'font-medium text-attention')}>
              {wordsOf(session, mark)}
            </span>
          )}
        </span>
      </Link>
      <div className="absolute right-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-state=open]]:opacity-100 pointer-coarse:opacity-100">
        <SessionMenu session={session} />
      </div>
    </div>
  )
})

interface SelectRowProps {
  session: Session
  index: number
  checked: boolean
  onToggle: () => void
}

/** A row while sessions are being selected. */
export function SelectRow({ session, index, checked, onToggle }: SelectRowProps) {
  const title = sessionTitle(session)
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover max-md:min-h-11">
      <input
        type="checkbox"
        data-row={index}
        checked={checked}
        aria-label={text.sessions.select(title)}
        onChange={onToggle}
        className="size-4 shrink-0 accent-(--ink)"
      />
      <span dir="auto" title={title} className="min-w-0 flex-1 truncate">
        {title}
      </span>
      <Time value={session.updated_at} className="shrink-0 text-xs text-faint" />
    </label>
  )
}

function wordsOf(session: Session, mark: ReturnType<typeof markOf>): string {
  if (mark === 'needs-you' && session.pending_approvals > 1)
    return text.sessions.approvals(session.pending_approvals)
  if (session.queued_messages > 0)
    return `${markLabel(mark)}, ${text.sessions.queued(session.queued_messages)}`
  return markLabel(mark)
}
