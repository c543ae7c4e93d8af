/**
 * A session while it is being changed: a shallow copy that is changed in place. Lists and items of the state that it was made
 * of are never touched; a list is copied once, when it first changes.
 */
import type { StreamEvent } from '@dorkos/shared'
import type { Item, PageSession, ToolItem } from './page-session.ts'

export interface SessionDraft extends Mutable<PageSession> {
  /** Ours to change; undefined while `items` is still the state's own list. */
  own: Item[] | undefined
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** Where an item stands: its index in the list, then in the children of that call, and so on. */
type Path = readonly number[]

/** Subagents that start subagents: deeper ones are not distinguished from calls that are not there. */
const maxDepth = 16
const maxChildren = 500
const maxOrphans = 1000

export function draftOf(state: PageSession): SessionDraft {
  return { ...state, own: undefined }
}

export function finished({ own: _own, ...state }: SessionDraft): PageSession {
  return state
}

export function ownItems(draft: SessionDraft): Item[] {
  if (draft.own !== undefined) return draft.own
  const own = [...draft.items]
  draft.own = own
  draft.items = own
  return own
}

/** From the end: what happens, happens to what is new. */
export function findCall(items: readonly Item[], callId: string, depth = 0): Path | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind !== 'tool') continue
    if (item.callId === callId) return [index]
    if (item.children.length === 0 || depth >= maxDepth) continue
    const below = findCall(item.children, callId, depth + 1)
    if (below !== undefined) return [index, ...below]
  }
  return undefined
}

/** Changes a call wherever it stands. False when it is not here. */
export function changeCall(
  draft: SessionDraft,
  callId: string,
  change: (call: ToolItem) => ToolItem,
): boolean {
  const path = findCall(draft.items, callId)
  if (path === undefined) return false
  changeAt(ownItems(draft), path, change)
  return true
}

/** `list` is the caller's to change. */
function changeAt(list: Item[], [index = -1, ...below]: Path, change: (call: ToolItem) => ToolItem): void {
  const item = list[index]
  if (item?.kind !== 'tool') return
  if (below.length === 0) {
    list[index] = change(item)
    return
  }
  const children = [...item.children]
  changeAt(children, below, change)
  list[index] = { ...item, children }
}

/**
 * Changes the list that an event belongs to: the conversation, or what the subagent of the call `parent` says and does. False
 * when there is no such call.
 */
export function changeList(
  draft: SessionDraft,
  parent: string | undefined,
  change: (list: Item[]) => void,
): boolean {
  if (parent === undefined) {
    change(ownItems(draft))
    return true
  }
  return changeCall(draft, parent, (call) => {
    const children = [...call.children]
    change(children)
    return { ...call, children: children.length > maxChildren ? children.slice(-maxChildren) : children }
  })
}

/** What comes before something new is complete. */
export function pushItem(list: Item[], item: Item): void {
  settleLast(list)
  list.push(item)
}

export function settleLast(list: Item[]): void {
  const last = list.at(-1)
  if (last !== undefined) list[list.length - 1] = complete(last)
}

export function settled(items: readonly Item[]): readonly Item[] {
  const last = items.at(-1)
  return last === undefined || complete(last) === last ? items : [...items.slice(0, -1), complete(last)]
}

/** Nothing more comes of it: no words, and no next try. */
function complete(item: Item): Item {
  if ((item.kind === 'text' || item.kind === 'thinking') && item.streaming)
    return { ...item, streaming: false }
  if (item.kind === 'marker' && item.marker.type === 'retry' && item.marker.waiting)
    return { ...item, marker: { ...item.marker, waiting: false } }
  return item
}

/** Keeps an event about a call that stands in a page that is not loaded. Of progress only the newest is worth keeping. */
export function keepOrphan(draft: SessionDraft, event: StreamEvent): void {
  const kept =
    event.type === 'tool_progress'
      ? draft.orphans.filter(
          (other) => other.type !== 'tool_progress' || other.tool_call_id !== event.tool_call_id,
        )
      : draft.orphans
  draft.orphans = [...kept.slice(-(maxOrphans - 1)), event]
}
