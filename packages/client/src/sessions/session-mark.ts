/** How a session stands, in one word and one colour. */
import type { Session } from '@dorkos/shared'
import { text } from '../text/text.ts'
import type { Tone } from '../ui/notice.tsx'

const marks = ['needs-you', 'working', 'failed', 'interrupted', 'paused', 'unread', 'idle'] as const
export type Mark = (typeof marks)[number]

export function markOf(session: Session, unread: boolean): Mark {
  if (session.state === 'waiting' || session.pending_approvals > 0) return 'needs-you'
  if (session.state === 'idle') return unread ? 'unread' : 'idle'
  return session.state
}

const tones: Record<Mark, Tone> = {
  'needs-you': 'accent',
  working: 'info',
  failed: 'danger',
  interrupted: 'warn',
  paused: 'plan',
  unread: 'ok',
  idle: 'neutral',
}

export function markTone(mark: Mark): Tone {
  return tones[mark]
}

export function markLabel(mark: Mark): string {
  return text.sessions.marks[mark]
}
