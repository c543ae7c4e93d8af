/** Words of subagents in a history: which calls of a page have some, and what they say. Pure. */
import { isRecord, type NewEvent } from '@dorkos/shared'
import type { TranscriptEntry } from '../ports/transcripts.ts'
import { transcriptRows } from './map-transcript.ts'
import { list, record, text } from './untrusted.ts'

/** A subagent by the call that began it. */
export interface SubagentCall {
  toolCallId: string
  agentId: string
}

/** What subagents said, by their calls. */
export type SubagentEntries = ReadonlyMap<string, readonly TranscriptEntry[]>

/** Of one subagent. What was before is left out. */
export const maxSubagentEvents = 200

/** The result of such a call names the subagent. Oldest first. */
export function subagentCalls(entries: readonly TranscriptEntry[]): SubagentCall[] {
  return entries.flatMap(({ entry }) => {
    const agentId = text(record(entry.toolUseResult).agentId)
    if (entry.type !== 'user' || agentId === undefined) return []
    const results = list(record(entry.message).content).filter(
      (block) => isRecord(block) && block.type === 'tool_result',
    )
    const toolCallId = text(record(results[0]).tool_use_id)
    return results.length === 1 && toolCallId !== undefined ? [{ toolCallId, agentId }] : []
  })
}

/** `until`: what came later is published elsewhere. */
export function subagentEvents(
  entries: readonly TranscriptEntry[],
  parent: string,
  until?: string,
): { time: string; event: NewEvent }[] {
  const rows = transcriptRows(entries, parent)
    .filter(({ time }) => until === undefined || time < until)
    .map(({ time, events }) => events.filter(isWord).map((event) => ({ time, event })))
  // Whole rows, so that no call is without its beginning.
  let count = 0
  const from = rows.findLastIndex((events) => {
    count += events.length
    return count > maxSubagentEvents
  })
  return rows.slice(from + 1).flat()
}

/** As live: neither its prompt, which its call shows, nor the work that it began. */
function isWord({ type }: NewEvent): boolean {
  return ['text_delta', 'thinking_delta', 'tool_result'].includes(type) || type.startsWith('tool_call_')
}
