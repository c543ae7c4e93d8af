/**
 * The one reducer of a session: a state and an input give the next state. Pure: the same inputs always give the same state, and
 * nothing that was given is changed. Parts that did not change stay the same objects.
 */
import {
  type Approval,
  compareEventPositions,
  type HistoryPage,
  isRecord,
  parseEventId,
  type Session,
  type SessionCost,
  type SessionSnapshot,
  type StreamEvent,
} from '@dorkos/shared'
import type { HistoryState, PageSession } from './page-session.ts'
import { keepApproval, onAsked } from './reduce-approvals.ts'
import { applyEvent } from './reduce-event.ts'
import { withNewestPage, withPage } from './reduce-history.ts'
import { draftOf, finished } from './session-draft.ts'
import { mcpServersOf, recordsOf, textOf } from './untrusted-field.ts'

/** What the reducer takes: all that can change what the page knows of a session. */
export type SessionInput =
  /** Replaces all live state; what came before it has to be loaded again. */
  | { readonly type: 'snapshot'; readonly snapshot: SessionSnapshot }
  | { readonly type: 'event'; readonly event: StreamEvent }
  | { readonly type: 'history_asked' }
  /** The page before `before`, as it was asked for. An answer to an older question changes nothing. */
  | { readonly type: 'history'; readonly page: HistoryPage; readonly before: string | undefined }
  | { readonly type: 'history_failed'; readonly fault: string }
  /** The newest page once more: a transcript that another process writes has grown. */
  | { readonly type: 'refresh'; readonly page: HistoryPage }
  /** From the server's own topic. */
  | { readonly type: 'session'; readonly session: Session }
  | { readonly type: 'approval'; readonly approval: Approval }
  /** It was deleted, or cannot be seen. */
  | { readonly type: 'gone' }
  /** The stream cannot go on without a gap; a snapshot follows. */
  | { readonly type: 'resync' }

const notLoaded: HistoryState = { phase: 'unloaded', before: undefined, fault: undefined }

export function emptySession(id: string): PageSession {
  return {
    id,
    phase: 'loading',
    session: undefined,
    at: undefined,
    items: [],
    turn: undefined,
    queue: [],
    handed: [],
    approvals: {},
    todos: [],
    tasks: [],
    mcpServers: [],
    cost: undefined,
    rateLimit: undefined,
    changesAt: undefined,
    history: notLoaded,
    orphans: [],
  }
}

export function reduceSession(state: PageSession, input: SessionInput): PageSession {
  switch (input.type) {
    case 'event':
      return state.phase === 'gone' ? state : withEvent(state, input.event)
    case 'snapshot':
      return fromSnapshot(state.id, input.snapshot)
    case 'history_asked':
      return withHistory(state, { phase: 'loading', fault: undefined })
    case 'history':
      return isAwaited(state, input.before) ? withPage(state, input.page) : state
    case 'history_failed':
      if (state.history.phase !== 'loading') return state
      return withHistory(state, { phase: 'failed', fault: input.fault })
    case 'refresh':
      return state.phase === 'ready' && state.turn === undefined ? withNewestPage(state, input.page) : state
    case 'session':
      return state.phase === 'ready' && isRecord(input.session) ? withSession(state, input.session) : state
    case 'approval':
      return withApproval(state, input.approval)
    case 'gone':
      return { ...emptySession(state.id), phase: 'gone' }
    case 'resync':
      return state.phase === 'ready' ? { ...state, phase: 'loading' } : state
    default:
      input satisfies never
      return state
  }
}

/** What is not newer than the state is in it already. */
function withEvent(state: PageSession, event: StreamEvent): PageSession {
  const position = parseEventId(event.id)
  const newest = state.at === undefined ? undefined : parseEventId(state.at)
  if (position && newest && compareEventPositions(position, newest) <= 0) return state
  const draft = draftOf(state)
  if (position) draft.at = event.id
  applyEvent(draft, event)
  return finished(draft)
}

function fromSnapshot(id: string, snapshot: SessionSnapshot): PageSession {
  const draft = draftOf({
    ...emptySession(id),
    phase: 'ready',
    session: snapshot.session,
    todos: recordsOf(snapshot.todos),
    tasks: recordsOf(snapshot.tasks),
    mcpServers: mcpServersOf(snapshot.mcp_servers),
    history: { ...notLoaded, before: textOf(snapshot.history_before) },
  })
  for (const event of recordsOf(snapshot.turn)) applyEvent(draft, event)
  // The stores are never behind the events, and may be ahead.
  draft.queue = recordsOf(snapshot.queue)
  draft.handed = recordsOf(snapshot.handed)
  draft.session = snapshot.session
  if (isRecord(snapshot.cost)) draft.cost = snapshot.cost
  if (isRecord(snapshot.rate_limit)) draft.rateLimit = snapshot.rate_limit
  draft.at = textOf(snapshot.at)
  draft.changesAt = draft.at
  for (const approval of recordsOf(snapshot.approvals)) {
    if (draft.approvals[approval.id] === undefined) onAsked(draft, askedEvent(approval))
  }
  return finished(draft)
}

/** A warning about a limit that the session has no more is not true any more. */
function withSession(state: PageSession, session: Session): PageSession {
  const { budget, ...cost } = state.cost ?? {}
  const isOld =
    budget?.kind === 'session' && session.budget_usd !== undefined && session.budget_usd !== budget.limit_usd
  return { ...state, session, ...(isOld && { cost: cost as SessionCost }) }
}

function askedEvent(approval: Approval): Parameters<typeof onAsked>[1] {
  const { session_id: session, created_at: time } = approval
  const type = approval.kind === 'tool' ? 'approval_required' : 'question_prompt'
  return { id: '0-0', session, time, type, approval }
}

function isAwaited({ phase, history }: PageSession, before: string | undefined): boolean {
  return phase === 'ready' && history.phase === 'loading' && history.before === before
}

function withHistory(state: PageSession, change: Partial<HistoryState>): PageSession {
  return { ...state, history: { ...state.history, ...change } }
}

function withApproval(state: PageSession, approval: Approval): PageSession {
  if (state.phase !== 'ready' || !isRecord(approval) || textOf(approval.id) === undefined) return state
  const draft = draftOf(state)
  keepApproval(draft, approval)
  return finished(draft)
}
