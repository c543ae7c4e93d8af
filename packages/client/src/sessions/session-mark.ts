/** The state of a session, in one word, shape and colour. */
import type { Session } from '@dorkos/shared'
import { text } from '../text/text.ts'
import type { Shape } from '../ui/badge.tsx'
import type { Tone } from '../ui/notice.tsx'

const marks = ['needs-you', 'working', 'failed', 'interrupted', 'paused', 'unread', 'idle'] as const
export type Mark = (typeof marks)[number]

export function markOf(session: Session, unread: boolean): Mark {
  if (session.state === 'waiting' || session.pending_approvals > 0) return 'needs-you'
  if (session.state === 'idle') return unread ? 'unread' : 'idle'
  return session.state
}

const looks: Record<Mark, { shape: Shape; tone: Tone; moves?: boolean }> = {
  'needs-you': { shape: 'diamond', tone: 'attention' },
  working: { shape: 'arc', tone: 'running', moves: true },
  failed: { shape: 'cross', tone: 'danger' },
  interrupted: { shape: 'square', tone: 'neutral' },
  paused: { shape: 'bars', tone: 'neutral' },
  unread: { shape: 'disc', tone: 'ok' },
  idle: { shape: 'ring', tone: 'neutral' },
}

/** For a `StateGlyph`. */
export function markLook(mark: Mark) {
  return { ...looks[mark], label: markLabel(mark) }
}

export function markLabel(mark: Mark): string {
  return text.sessions.marks[mark]
}
