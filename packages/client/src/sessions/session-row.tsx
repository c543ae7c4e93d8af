import type { Session } from '@dorkos/shared'
import { Pin, SquareTerminal, Zap } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import { text } from '../text/text.ts'
import { Dot } from '../ui/badge.tsx'
import { cx } from '../ui/class-names.ts'
import { Time } from '../ui/time.tsx'
import { markLabel, markOf, markTone } from './session-mark.ts'
import { SessionMenu } from './session-menu.tsx'
import { sessionTitle } from './session-title.ts'

interface SessionRowProps {
  session: Session
  current: boolean
  unread: boolean
  /** For the arrow keys of the list. */
  index: number
}

export const SessionRow = memo(function SessionRow({ session, current, unread, index }: SessionRowProps) {
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
        className="flex min-w-0 flex-1 items-start gap-2.5 rounded-md py-1.5 pr-2 pl-2 group-focus-within:pr-9 group-hover:pr-9 max-md:min-h-13 max-md:py-2 pointer-coarse:pr-11"
      >
        <span className="flex h-5 items-center">
          <Dot tone={markTone(mark)} label={markLabel(mark)} pulse={mark === 'working'} />
        </span>
        <span className="min-w-0 flex-1">
          <span
            dir="auto"
            title={title}
            className={cx('block truncate text-sm leading-5', unread && 'font-semibold')}
          >
            {title}
          </span>
          <span className="flex items-center gap-1.5 overflow-hidden text-xs leading-4 whitespace-nowrap text-faint">
            {!isQuiet && (
              <span className={cx(mark === 'needs-you' && 'font-medium text-accent')}>
                {wordsOf(session, mark)}
              </span>
            )}
            {(session.origin === 'terminal' || session.in_use_elsewhere) && (
              <span
                className="inline-flex items-center gap-1"
                title={session.in_use_elsewhere ? text.sessions.elsewhereHint : text.sessions.terminalHint}
              >
                <SquareTerminal aria-hidden size={12} /> {text.sessions.terminal}
              </span>
            )}
            {session.live && (
              <span className="inline-flex items-center" title={text.sessions.liveHint}>
                <Zap role="img" aria-label={text.sessions.liveHint} size={11} className="text-ok" />
              </span>
            )}
            {session.pinned && <Pin role="img" aria-label={text.sessions.pinned} size={11} />}
            <Time value={session.updated_at} className="truncate" />
          </span>
        </span>
      </Link>
      <div className="absolute right-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-[[data-state=open]]:opacity-100 pointer-coarse:opacity-100">
        <SessionMenu session={session} />
      </div>
    </div>
  )
})

function wordsOf(session: Session, mark: ReturnType<typeof markOf>): string {
  if (mark === 'needs-you' && session.pending_approvals > 1)
    return text.sessions.approvals(session.pending_approvals)
  if (session.queued_messages > 0)
    return `${markLabel(mark)}, ${text.sessions.queued(session.queued_messages)}`
  return markLabel(mark)
}
