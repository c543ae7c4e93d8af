/** What is said: messages, text, thinking, and what was taken back of it. */
import { type EventOf, isRecord } from '@dorkos/shared'
import type { Item, TextItem, ThinkingItem, UserItem } from './page-session.ts'
import { changeList, type Draft, keepOrphan, ownItems, pushItem } from './session-draft.ts'
import { blocksOf, numberOf, textOf } from './untrusted-field.ts'

export function onText(draft: Draft, event: EventOf<'text_delta' | 'thinking_delta'>): void {
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

export function onThinkingEnd(draft: Draft, event: EventOf<'thinking_end'>): void {
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
export function onUserMessage(draft: Draft, event: EventOf<'user_message'>): void {
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
  }
}

/** An answer broke off and is asked for again. */
export function onWithdrawn(draft: Draft, event: EventOf<'blocks_withdrawn'>): void {
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
