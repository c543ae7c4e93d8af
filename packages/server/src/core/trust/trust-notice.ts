/** What sessions are shown when trust in their workspace changes. */
import { type Saying, say } from '@dorkos/shared'
import { type Notice, noticeOf } from '../notice.ts'
import type { TrustTransition } from './workspace-trust.ts'

type How = TrustTransition['how']

export function sayTrust(how: How): Saying {
  if (how === 'lost') return say('notice_workspace_changed')
  if (how === 'found') return say('notice_workspace_trusted_again')
  return how === 'given' ? say('notice_workspace_trusted') : say('notice_workspace_untrusted')
}

const codes: Record<How, string> = {
  lost: 'workspace_changed',
  found: 'workspace_trusted',
  given: 'workspace_trusted',
  taken: 'workspace_untrusted',
}

export function trustNotice(how: How): Notice {
  const level = how === 'lost' || how === 'taken' ? 'warning' : 'info'
  return { ...noticeOf(sayTrust(how), codes[how]), level }
}
