/** What sessions are shown when trust in their workspace changes. */
import type { NewEvent } from '@dorkos/shared'
import type { TrustTransition } from './workspace-trust.ts'

type Notice = Extract<NewEvent, { type: 'notice' }>

const sentences: Record<TrustTransition['how'], Pick<Notice, 'level' | 'code' | 'message'>> = {
  lost: {
    level: 'warning',
    code: 'workspace_changed',
    message: 'The workspace changed: its servers, settings and hooks no longer count until you look at them.',
  },
  found: {
    level: 'info',
    code: 'workspace_trusted',
    message: 'The workspace is as it was trusted again: its servers, settings and hooks count.',
  },
  given: {
    level: 'info',
    code: 'workspace_trusted',
    message: 'The workspace is trusted: its servers, settings and hooks count from the next message on.',
  },
  taken: {
    level: 'warning',
    code: 'workspace_untrusted',
    message: 'The workspace is not trusted any more: its servers, settings and hooks no longer count.',
  },
}

export function trustNotice(how: TrustTransition['how']): Notice {
  return { type: 'notice', ...sentences[how] }
}
