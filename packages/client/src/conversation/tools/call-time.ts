import type { ToolItem } from '../../live/page-session.ts'

/** When a call began to run and when it ended, in milliseconds. Undefined where nothing ran, or it is not known. */
export function callTime(
  item: Pick<ToolItem, 'time' | 'startTime' | 'endTime' | 'decision' | 'status'>,
): { startMs: number; endMs: number | undefined } | undefined {
  const { status, decision, endTime } = item
  if (status !== 'running' && status !== 'done' && status !== 'failed') return undefined
  if (status !== 'running' && endTime === undefined) return undefined
  // The time that a person thought about it is not the tool's.
  const startMs = Date.parse(decision?.state === 'allowed' ? decision.time : (item.startTime ?? item.time))
  const endMs = endTime === undefined ? undefined : Date.parse(endTime)
  return Number.isNaN(startMs) || (endMs !== undefined && !(endMs >= startMs))
    ? undefined
    : { startMs, endMs }
}
