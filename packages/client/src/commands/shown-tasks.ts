import type { Task } from '@dorkos/shared'
import type { Item, PageSession, ToolItem } from '../live/page-session.ts'

export function runningTasks(tasks: readonly Task[]): Task[] {
  return tasks.filter(({ status }) => status === 'running')
}

/** What has ended and the agent did not wait for, the newest first: the result of any other is in the conversation. */
export function endedTasks(tasks: readonly Task[]): Task[] {
  return tasks.filter(({ status, background }) => status !== 'running' && background).toReversed()
}

/** The command as it was given, where its call is loaded; else as the agent described it. */
export function commandOf({ items }: PageSession, { tool_call_id, label }: Task): string {
  const call = tool_call_id === undefined ? undefined : findCall(items, tool_call_id)
  const command = call?.decision?.updatedInput?.command ?? call?.input?.command
  return typeof command === 'string' && command !== '' ? command : label
}

function findCall(items: readonly Item[], callId: string): ToolItem | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== 'tool') continue
    const found = item.callId === callId ? item : findCall(item.children, callId)
    if (found) return found
  }
  return undefined
}
