import type { ToolItem, ToolStatus } from '../../live/page-session.ts'

/** A subagent in the background goes on after the call that started it has returned: the card shows the subagent's status. */
export function effectiveStatus(item: Pick<ToolItem, 'status' | 'subagent'>): ToolStatus {
  const { status, subagent } = item
  if (subagent === undefined || status === 'denied' || status === 'expired' || status === 'void')
    return status
  switch (subagent.status) {
    case undefined:
      return subagent.background && status === 'done' ? 'running' : status
    case 'completed':
      return status === 'failed' ? status : 'done'
    case 'failed':
    case 'error':
      return 'failed'
    default:
      return 'interrupted'
  }
}
