/** Pages of what was said before, put before what is there. */
import type { HistoryPage, StreamEvent } from '@dorkos/shared'
import type { HistoryState, Item, PageSession, ToolItem } from './page-session.ts'
import { applyEvent, askedCall } from './reduce-event.ts'
import { interrupted } from './reduce-tools.ts'
import { draftOf, findCall, finished, keepOrphan, type SessionDraft, settled } from './session-draft.ts'
import { recordsOf } from './untrusted-field.ts'

/** The page that was asked for came. */
export function withPage(state: PageSession, page: HistoryPage): PageSession {
  const { before } = state.history
  const draft = pageDraft(state, page)
  // What newer pages and the stream brought about calls that stand in this page.
  applyOrphans(draft, state.orphans)
  const older = closed(draft, state, before === undefined)
  const attached = approvalsOfCalls(older)
  const items = state.items.filter((item) => item.kind !== 'approval' || !attached.has(item.approvalId))
  const history = historyAfter(page)
  return {
    ...state,
    items: [...withoutKnown(older, items, state), ...items],
    approvals: { ...unattached(draft, attached), ...state.approvals },
    todos: state.at === undefined && state.todos.length === 0 ? draft.todos : state.todos,
    orphans: history.phase === 'complete' ? [] : draft.orphans,
    history,
  }
}

/** Before it comes only what the stream brings. */
const isNewest = (before: string | undefined): boolean => before === undefined || before.startsWith('turn:')

/** Those that stand alone in the conversation: their records are needed to show them. */
function unattached({ approvals }: SessionDraft, attached: ReadonlySet<string>): PageSession['approvals'] {
  return Object.fromEntries(Object.entries(approvals).filter(([id]) => !attached.has(id)))
}

/** The newest page came again, longer: another process writes this transcript. */
export function withNewestPage(state: PageSession, page: HistoryPage): PageSession {
  const draft = pageDraft(state, page)
  const newest = closed(draft, state, true)
  const keys = new Set(newest.map(({ key }) => key))
  const at = state.items.findIndex(({ key }) => keys.has(key))
  const approvals = { ...unattached(draft, approvalsOfCalls(newest)), ...state.approvals }
  const todos = draft.todos.length > 0 ? draft.todos : state.todos
  if (at === -1)
    return { ...state, items: newest, approvals, todos, orphans: draft.orphans, history: historyAfter(page) }
  const kept = draftOf({ ...state, items: state.items.slice(0, at) })
  for (const event of draft.orphans) applyEvent(kept, event)
  return finished({ ...kept, items: [...kept.items, ...newest], approvals, todos, orphans: state.orphans })
}

function historyAfter({ before }: HistoryPage): HistoryState {
  return { phase: before === undefined ? 'complete' : 'idle', before, fault: undefined }
}

/** The page alone, as its events give it. */
function pageDraft(state: PageSession, page: HistoryPage): SessionDraft {
  const draft = draftOf({ ...state, items: [], orphans: [], approvals: {}, todos: [], turn: undefined })
  for (const event of recordsOf(page.events)) applyEvent(draft, event)
  return draft
}

/** Those whose call is not in this page either are kept on. */
function applyOrphans(draft: SessionDraft, orphans: readonly StreamEvent[]): void {
  for (const event of orphans) {
    const callId = askedCall(event)
    // The newer part shows an approval that has no call.
    if (callId !== undefined && findCall(draft.items, callId) === undefined) keepOrphan(draft, event)
    else applyEvent(draft, event)
  }
}

/** What has no result by now never gets one, unless somebody is still asked, or another process is at work. */
function closed(draft: SessionDraft, { session, approvals }: PageSession, isEnd: boolean): readonly Item[] {
  const isAtWork = isEnd && session?.in_use_elsewhere === true
  const lastTurn = isAtWork
    ? draft.items.findLastIndex(({ kind }) => kind === 'turn') + 1
    : draft.items.length
  const isAsked = ({ approvalId }: ToolItem) =>
    approvalId !== undefined && approvals[approvalId]?.state === 'pending'
  const over = interrupted(draft.items.slice(0, lastTurn), isAsked)
  return settled([...over, ...draft.items.slice(lastTurn)])
}

function approvalsOfCalls(items: readonly Item[], found = new Set<string>()): Set<string> {
  for (const item of items) {
    if (item.kind !== 'tool') continue
    if (item.approvalId !== undefined) found.add(item.approvalId)
    approvalsOfCalls(item.children, found)
  }
  return found
}

/** What the stream brings wins. Where it was ahead of the newest page, it brings all of the page's end by itself. */
function withoutKnown(
  older: readonly Item[],
  items: readonly Item[],
  { turn, history }: PageSession,
): readonly Item[] {
  const known = new Set(items.map(({ key }) => key))
  if (!isNewest(history.before)) return older.filter(({ key }) => !known.has(key))
  if (turn !== undefined) known.add(`user:${turn.id}`)
  const at = older.findIndex(({ key }) => known.has(key))
  return at === -1 ? older : older.slice(0, at)
}
