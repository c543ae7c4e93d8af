/** Tool calls: what they are given, how they go, and what came of them. */
import { type EventOf, isRecord, type StreamEvent } from '@dorkos/shared'
import type { Item, Subagent, ToolItem, ToolStatus } from './page-session.ts'
import {
  changeCall,
  changeList,
  findCall,
  keepOrphan,
  pushItem,
  type SessionDraft,
  settled,
} from './session-draft.ts'
import { blocksOf, numberOf, textOf } from './untrusted-field.ts'

export const isOpen = (status: ToolStatus): boolean =>
  status === 'writing' || status === 'waiting' || status === 'running'

/** It never ran, whatever result the CLI gives it. */
const isRefused = (status: ToolStatus): boolean =>
  status === 'denied' || status === 'expired' || status === 'void'

/** True when the call is new. */
export function onCallStart(draft: SessionDraft, event: EventOf<'tool_call_start'>): boolean {
  const callId = textOf(event.tool_call_id)
  if (callId === undefined || findCall(draft.items, callId) !== undefined) return false
  const isThere = changeList(draft, textOf(event.parent), (list) => pushItem(list, newCall(event, callId)))
  if (!isThere) keepOrphan(draft, event)
  return isThere
}

function newCall(event: EventOf<'tool_call_start'>, callId: string): ToolItem {
  return {
    kind: 'tool',
    key: `tool:${callId}`,
    time: event.time,
    callId,
    messageId: textOf(event.message_id),
    index: numberOf(event.index),
    name: textOf(event.name) ?? '',
    status: 'writing',
    inputJson: '',
    input: undefined,
    result: undefined,
    progress: undefined,
    approvalId: undefined,
    decision: undefined,
    startTime: undefined,
    endTime: undefined,
    children: [],
    subagent: undefined,
  }
}

/** Changes the call that an event is about, or keeps the event until the call is there. */
function changeOrKeep(
  draft: SessionDraft,
  event: StreamEvent & { tool_call_id?: string },
  change: (call: ToolItem) => ToolItem,
): boolean {
  const callId = textOf(event.tool_call_id)
  if (callId === undefined) return false
  const isThere = changeCall(draft, callId, change)
  if (!isThere) keepOrphan(draft, event)
  return isThere
}

export function onCallDelta(draft: SessionDraft, event: EventOf<'tool_call_delta'>): void {
  const json = textOf(event.json)
  if (json === undefined) return
  changeOrKeep(draft, event, (call) =>
    call.input === undefined ? { ...call, inputJson: call.inputJson + json } : call,
  )
}

export function onCallEnd(draft: SessionDraft, event: EventOf<'tool_call_end'>): void {
  changeOrKeep(draft, event, (call) => ({
    ...call,
    name: textOf(event.name) ?? call.name,
    input: isRecord(event.input) ? event.input : {},
    inputJson: '',
    startTime: textOf(event.cli_time) ?? event.time,
    status: call.status === 'writing' ? 'running' : call.status,
  }))
}

export function onProgress(draft: SessionDraft, event: EventOf<'tool_progress'>): void {
  changeOrKeep(draft, event, (call) => ({
    ...call,
    progress: {
      text: textOf(event.text) ?? call.progress?.text,
      elapsedSeconds: numberOf(event.elapsed_seconds) ?? call.progress?.elapsedSeconds,
    },
  }))
}

export function onResult(draft: SessionDraft, event: EventOf<'tool_result'>): void {
  const result = {
    content: blocksOf(event.content),
    isError: event.is_error === true,
    ...(event.denied_by === 'hook' && { deniedByHook: true }),
    detail: event.detail,
    omittedBytes: numberOf(event.omitted_bytes) ?? 0,
  }
  changeOrKeep(draft, event, (call) => ({
    ...call,
    result,
    progress: undefined,
    endTime: textOf(event.cli_time) ?? event.time,
    status: statusAfter(call.status, event),
    children: settled(call.children),
  }))
}

function statusAfter(status: ToolStatus, event: EventOf<'tool_result'>): ToolStatus {
  if (isRefused(status)) return status
  if (event.is_error !== true) return 'done'
  if (event.stopped === 'denied' || event.stopped === 'interrupted') return event.stopped
  // The CLI gives one to a call that was cut off, when the session goes on: not the tool's own.
  return status === 'interrupted' || status === 'unknown' ? status : 'failed'
}

export function onSubagentStart(draft: SessionDraft, event: EventOf<'subagent_start'>): void {
  changeOrKeep(draft, event, (call) => ({
    ...call,
    subagent: {
      ...(call.subagent ?? noSubagent),
      agent: textOf(event.agent),
      description: textOf(event.description),
      background: event.background === true,
    },
  }))
}

export function onSubagentEnd(draft: SessionDraft, event: EventOf<'subagent_end'>): void {
  changeOrKeep(draft, event, (call) => ({
    ...call,
    subagent: {
      ...(call.subagent ?? noSubagent),
      status: textOf(event.status) ?? 'completed',
      summary: textOf(event.summary),
    },
    children: settled(call.children),
  }))
}

const noSubagent: Subagent = {
  agent: undefined,
  description: undefined,
  background: false,
  status: undefined,
  summary: undefined,
}

/** Of a call that ran, nobody can say what came of it. */
function cutOff(status: ToolStatus): ToolStatus {
  return status === 'running' ? 'unknown' : 'interrupted'
}

/** The turn is over: what has no result by now was cut off. `keep` spares a call. */
export function interrupted(items: readonly Item[], keep: (call: ToolItem) => boolean): readonly Item[] {
  let isChanged = false
  const next = items.map((item): Item => {
    if (item.kind !== 'tool') return item
    const children = settled(interrupted(item.children, keep))
    const status = isOpen(item.status) && !keep(item) ? cutOff(item.status) : item.status
    if (children === item.children && status === item.status) return item
    isChanged = true
    return { ...item, children, status }
  })
  return isChanged ? next : items
}
