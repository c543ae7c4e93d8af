/** One event → what it changes. */
import { type EventOf, isRecord, type Session, type StreamEvent } from '@dorkos/shared'
import type { Item, TextItem, ThinkingItem, UserItem } from './page-session.ts'
import { onAsked, onResolved, onUnasked } from './reduce-approvals.ts'
import { leaveQueue, onQueue, settleHanded } from './reduce-queue.ts'
import {
  onCallDelta,
  onCallEnd,
  onCallStart,
  onProgress,
  onResult,
  onSubagentEnd,
  onSubagentStart,
} from './reduce-tools.ts'
import {
  mark,
  onHookResult,
  onNotice,
  onRateLimit,
  onRetry,
  onTakenOver,
  onTurnEnd,
  onTurnStart,
} from './reduce-turns.ts'
import { changeList, keepOrphan, ownItems, pushItem, type SessionDraft } from './session-draft.ts'
import { blocksOf, mcpServersOf, numberOf, recordsOf, saidOf, textOf } from './untrusted-field.ts'

/** What cannot be understood is passed over: an event of a newer server must not cost the page all the others. */
export function applyEvent(draft: SessionDraft, event: StreamEvent): void {
  try {
    applyKnown(draft, event)
  } catch {
    // Its fields are not what the contract says.
  }
}

/** Types that this version does not know change nothing. */
function applyKnown(draft: SessionDraft, event: StreamEvent): void {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
      return onText(draft, event)
    case 'thinking_end':
      return onThinkingEnd(draft, event)
    case 'tool_call_delta':
      return onCallDelta(draft, event)
    case 'tool_call_start':
      if (onCallStart(draft, event)) adoptOrphans(draft, event.tool_call_id)
      return
    case 'tool_call_end':
      return onCallEnd(draft, event)
    case 'tool_call_allowed':
    case 'tool_call_denied':
      return onUnasked(draft, event)
    case 'tool_progress':
      return onProgress(draft, event)
    case 'tool_result':
      return onResult(draft, event)
    case 'subagent_start':
      return onSubagentStart(draft, event)
    case 'subagent_end':
      return onSubagentEnd(draft, event)
    case 'user_message':
      settleHanded(draft, event.message_id)
      return onUserMessage(draft, event)
    case 'blocks_withdrawn':
      return onWithdrawn(draft, event)
    case 'approval_required':
    case 'question_prompt':
      return onAsked(draft, event)
    case 'approval_resolved':
    case 'question_resolved':
      return onResolved(draft, event)
    case 'turn_start':
      return onTurnStart(draft, event)
    case 'turn_end':
      settleHanded(draft, event.turn_id)
      leaveQueue(draft, event.turn_id)
      return onTurnEnd(draft, event)
    case 'session_taken_over':
      return onTakenOver(draft, event)
    case 'api_retry':
      return onRetry(draft, event)
    case 'rate_limit':
      return onRateLimit(draft, event)
    case 'notice':
      return onNotice(draft, event)
    case 'hook_result':
      return onHookResult(draft, event)
    case 'changes_updated':
      draft.changesAt = event.id
      return
    default:
      return applySessionState(draft, event)
  }
}

/** What is about the session and not in the conversation, and the remaining markers. */
function applySessionState(
  draft: SessionDraft,
  event: EventOf<
    | 'session_status'
    | 'todo_update'
    | 'tasks_update'
    | 'mcp_status'
    | 'cost_update'
    | 'queue_update'
    | 'compact_boundary'
    | 'error'
    | 'cli_message'
  >,
): void {
  switch (event.type) {
    case 'session_status':
      return onStatus(draft, event)
    case 'todo_update':
      draft.todos = recordsOf(event.todos)
      return
    case 'tasks_update':
      draft.tasks = recordsOf(event.tasks)
      return
    case 'mcp_status':
      draft.mcpServers = mcpServersOf(event.servers)
      return
    case 'cost_update':
      draft.cost = costOf(event)
      return
    case 'queue_update':
      return onQueue(draft, recordsOf(event.queue))
    case 'compact_boundary': {
      const trigger = textOf(event.trigger)
      return mark(draft, event, { type: 'compaction', trigger, tokensBefore: numberOf(event.tokens_before) })
    }
    case 'error': {
      const code = textOf(event.code) ?? ''
      const message = textOf(event.message) ?? ''
      return mark(draft, event, { type: 'error', code, message, said: saidOf(event.said) })
    }
    case 'cli_message':
      return
    default:
      event satisfies never
  }
}

function costOf({ type: _type, id: _id, session: _session, time: _time, ...cost }: EventOf<'cost_update'>) {
  return cost
}

function onStatus(draft: SessionDraft, event: EventOf<'session_status'>): void {
  if (Array.isArray(event.mcp_servers)) draft.mcpServers = mcpServersOf(event.mcp_servers)
  if (draft.session === undefined) return
  const { effort: _effort, ...withoutEffort } = draft.session
  const base: Session = event.effort === null ? withoutEffort : draft.session
  const cliId = textOf(event.cli_session_id)
  draft.session = {
    ...base,
    ...(typeof event.state === 'string' && { state: event.state }),
    live: event.live === true,
    ...(typeof event.model === 'string' && { model: event.model }),
    ...(typeof event.effort === 'string' && { effort: event.effort }),
    ...(typeof event.permission_mode === 'string' && { permission_mode: event.permission_mode }),
    ...(cliId !== undefined &&
      !base.cli_session_ids.includes(cliId) && { cli_session_ids: [...base.cli_session_ids, cliId] }),
  }
}

/** A call is there now: the events about it that came before are applied to it. */
function adoptOrphans(draft: SessionDraft, callId: string): void {
  if (draft.orphans.length === 0) return
  const own = draft.orphans.filter((event) => isAbout(event, callId))
  if (own.length === 0) return
  draft.orphans = draft.orphans.filter((event) => !isAbout(event, callId))
  for (const event of own) applyEvent(draft, event)
}

function isAbout(event: StreamEvent, callId: string): boolean {
  if ('tool_call_id' in event && event.tool_call_id === callId) return true
  if ('parent' in event && event.parent === callId) return true
  return askedCall(event) === callId
}

/** The call that an approval asks about. */
export function askedCall(event: StreamEvent): string | undefined {
  return 'approval' in event && isRecord(event.approval) ? textOf(event.approval.tool_call_id) : undefined
}

function onText(draft: SessionDraft, event: EventOf<'text_delta' | 'thinking_delta'>): void {
  const { message_id, index, text } = event
  const parent = textOf(event.parent)
  if (textOf(text) === undefined || textOf(message_id) === undefined || numberOf(index) === undefined) return
  const key = blockKey(message_id, index, parent)
  const isThere = changeList(draft, parent, (list) => {
    const at = list.findLastIndex((item) => item.key === key)
    const item = list[at]
    if (item === undefined) pushItem(list, newBlock(event, key))
    else if (item.kind === 'text' || item.kind === 'thinking') list[at] = { ...item, text: item.text + text }
  })
  if (!isThere) keepOrphan(draft, event)
}

function onThinkingEnd(draft: SessionDraft, event: EventOf<'thinking_end'>): void {
  const durationMs = numberOf(event.duration_ms)
  const parent = textOf(event.parent)
  if (durationMs === undefined || numberOf(event.index) === undefined) return
  const key = blockKey(event.message_id, event.index, parent)
  let isThere = false
  changeList(draft, parent, (list) => {
    const at = list.findLastIndex((item) => item.key === key)
    const item = list[at]
    if (item?.kind !== 'thinking') return
    list[at] = { ...item, durationMs }
    isThere = true
  })
  if (!isThere) keepOrphan(draft, event)
}

/** The same live and after a reload. */
function blockKey(messageId: string, index: number, parent: string | undefined): string {
  const key = `text:${messageId}:${index}`
  return parent === undefined ? key : `${key}:${parent}`
}

function newBlock(event: EventOf<'text_delta' | 'thinking_delta'>, key: string): TextItem | ThinkingItem {
  const { time, text, message_id: messageId } = event
  const block = { key, time, messageId, text, streaming: true }
  return event.type === 'text_delta'
    ? { kind: 'text', ...block }
    : { kind: 'thinking', ...block, durationMs: undefined }
}

/** A subagent's prompt stands in the call that began it. */
function onUserMessage(draft: SessionDraft, event: EventOf<'user_message'>): void {
  const messageId = textOf(event.message_id)
  if (messageId === undefined || event.parent !== undefined) return
  const key = `user:${messageId}`
  if (draft.items.findLastIndex((item) => item.key === key) !== -1) return
  pushItem(ownItems(draft), userItem(event, key, messageId))
}

function userItem(event: EventOf<'user_message'>, key: string, messageId: string): UserItem {
  const { content, time } = event
  return {
    kind: 'user',
    key,
    time,
    messageId,
    content: typeof content === 'string' ? content : blocksOf(content),
    synthetic: event.synthetic === true,
    ...(event.turn_id !== undefined && event.turn_id !== messageId && { joined: true }),
  }
}

/** An answer broke off and is asked for again. */
function onWithdrawn(draft: SessionDraft, event: EventOf<'blocks_withdrawn'>): void {
  if (!Array.isArray(event.blocks)) return
  const gone = new Set(event.blocks.filter(isRecord).map(({ message_id, index }) => `${message_id}:${index}`))
  const kept = withoutBlocks(draft.items, gone)
  if (kept !== draft.items) ownItems(draft).splice(0, draft.items.length, ...kept)
}

function withoutBlocks(items: readonly Item[], gone: ReadonlySet<string>): readonly Item[] {
  let isChanged = false
  const kept = items.flatMap((item): Item[] => {
    if (isGone(item, gone)) {
      isChanged = true
      return []
    }
    if (item.kind !== 'tool' || item.children.length === 0) return [item]
    const children = withoutBlocks(item.children, gone)
    if (children === item.children) return [item]
    isChanged = true
    return [{ ...item, children }]
  })
  return isChanged ? kept : items
}

function isGone(item: Item, gone: ReadonlySet<string>): boolean {
  if (item.kind === 'tool') return gone.has(`${item.messageId}:${item.index}`)
  if (item.kind !== 'text' && item.kind !== 'thinking') return false
  const [, index = ''] = item.key.slice(`text:${item.messageId}`.length).split(':')
  return gone.has(`${item.messageId}:${index}`)
}
