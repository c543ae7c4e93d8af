/** What was seen in this browser, in all its tabs. */
import type { Session } from '@dorkos/shared'
import { useEffect, useMemo } from 'react'
import { remember, remembered, useRemembered } from '../browser/remembered.ts'
import { live } from '../live/live.ts'
import { emptySeen, isUnread, readSeen, type Seen, withSeen } from './unread.ts'

const key = 'dorkos.seen'

function parse(stored: string | undefined): Seen | undefined {
  if (stored === undefined) return undefined
  try {
    return readSeen(JSON.parse(stored))
  } catch {
    return undefined
  }
}

function current(): Seen {
  return parse(remembered(key)) ?? emptySeen(new Date(live.serverNow()).toISOString())
}

function markSeen({ id, updated_at: updatedAt }: Pick<Session, 'id' | 'updated_at'>): void {
  const before = current()
  const after = withSeen(before, id, updatedAt)
  if (after !== before) remember(key, JSON.stringify(after))
}

/** Whether a session has news for this browser. */
export function useUnread(): (session: Session) => boolean {
  const [stored] = useRemembered(key)
  useEffect(() => {
    // From the first visit on: what was there before is no news.
    if (stored === undefined) remember(key, JSON.stringify(current()))
  }, [stored])
  return useMemo(() => {
    const seen = parse(stored)
    return (session: Session) => seen !== undefined && isUnread(session, seen)
  }, [stored])
}

/** A change that was made here is no news, unless there was news before. */
export function keepSeen(before: Session, after: Session): void {
  if (!isUnread(before, current())) markSeen(after)
}

/** Marks what is in sight as seen, also when it changes under one's eyes or the tab comes back. */
export function useMarkSeen(session: Session | undefined): void {
  useEffect(() => {
    if (!session) return
    const mark = () => {
      if (document.visibilityState === 'visible') markSeen(session)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [session])
}
