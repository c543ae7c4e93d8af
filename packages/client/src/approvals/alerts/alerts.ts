/** When to notify a person who looks elsewhere. Pure: what happened goes in, what to do comes out. */
import type { Approval, Session } from '@dorkos/shared'
import { withVisibleControls } from '../../render/safe-text.tsx'
import { sessionTitle } from '../../sessions/session-title.ts'
import { text } from '../../text/card-text.ts'
import { subjectOf } from '../call-view.ts'

export interface AlertSettings {
  notify: boolean
  /** Also when an agent has finished. */
  finished: boolean
  sound: boolean
}

export const defaultSettings: AlertSettings = { notify: true, finished: true, sound: false }

type State = Session['state']

export interface AlertState {
  /** Nothing is reported before the first whole state of the server is known: what waited before is no news. */
  ready: boolean
  /** The session of each approval that waits. */
  waiting: ReadonlyMap<string, string>
  sessions: ReadonlyMap<string, State>
  /** Sessions that ended their work while nobody viewed them. */
  finished: ReadonlySet<string>
}

export const initialAlerts: AlertState = {
  ready: false,
  waiting: new Map(),
  sessions: new Map(),
  finished: new Set(),
}

/** What the tabs of this browser show. */
export interface Sight {
  /** Ids of sessions that are open in a tab that is seen. */
  sessions: ReadonlySet<string>
  /** A seen tab shows the inbox. */
  inbox: boolean
}

export interface AlertInput {
  /** The whole state of the server has come. */
  ready: boolean
  approvals: readonly Approval[]
  /** Those whose deadline passed since the last time. */
  expired: readonly Approval[]
  sessions: readonly Session[]
  sight: Sight
  settings: AlertSettings
}

export type AlertEffect =
  /** `tag` names it: a later one of the same tag takes its place, and `close` takes it away. */
  | { type: 'notify'; tag: string; title: string; body: string; path: string }
  | { type: 'close'; tag: string }
  | { type: 'sound' }

export interface AlertStep {
  state: AlertState
  effects: AlertEffect[]
}

const working: ReadonlySet<State> = new Set(['working', 'waiting'])
const ended: ReadonlySet<State> = new Set(['idle', 'failed', 'interrupted'])

export function nextAlerts(before: AlertState, input: AlertInput): AlertStep {
  const waiting = new Map(input.approvals.map(({ id, session_id }) => [id, session_id]))
  const states = new Map(input.sessions.map((session) => [session.id, stateOf(session)]))
  const news = before.ready && input.ready
  const done = news
    ? input.sessions.filter((session) => hasEnded(before.sessions.get(session.id), states.get(session.id)))
    : []
  const unseenDone = done.filter(({ id }) => !input.sight.sessions.has(id))
  const finished = new Set(
    [...before.finished, ...unseenDone.map(({ id }) => id)].filter(
      (id) => !input.sight.sessions.has(id) && ended.has(states.get(id) ?? 'working'),
    ),
  )
  const state: AlertState = { ready: input.ready, waiting, sessions: states, finished }
  if (!news) return { state, effects: [] }
  const asked = input.approvals.filter(
    ({ id, session_id }) => !before.waiting.has(id) && !isSeen(input.sight, session_id),
  )
  return { state, effects: effectsOf(before, state, input, asked, unseenDone) }
}

/** A session with messages in its queue goes on by itself, unless a person holds them. */
function stateOf({ state, queued_messages, queue_held }: Session): State {
  return state === 'idle' && queued_messages > 0 && queue_held !== true ? 'working' : state
}

function hasEnded(before: State | undefined, now: State | undefined): boolean {
  return before !== undefined && now !== undefined && working.has(before) && ended.has(now)
}

function isSeen(sight: Sight, sessionId: string): boolean {
  return sight.inbox || sight.sessions.has(sessionId)
}

function effectsOf(
  before: AlertState,
  after: AlertState,
  { sessions, settings, expired, sight }: AlertInput,
  asked: readonly Approval[],
  done: readonly Session[],
): AlertEffect[] {
  const closed: AlertEffect[] = [
    ...[...before.waiting.keys()].filter((id) => !after.waiting.has(id)).map(approvalTag),
    ...[...before.finished].filter((id) => !after.finished.has(id)).map(sessionTag),
  ].map((tag) => ({ type: 'close', tag }))
  const notices = [
    ...asked.map((approval) => askedNotice(approval, sessions)),
    ...expired
      .filter(({ session_id }) => !isSeen(sight, session_id))
      .map((approval) => expiredNotice(approval, sessions)),
    ...(settings.finished ? done.map(doneNotice) : []),
  ]
  const sound: AlertEffect[] = settings.sound && notices.length > 0 ? [{ type: 'sound' }] : []
  return [...closed, ...(settings.notify ? notices : []), ...sound]
}

const approvalTag = (id: string) => `approval:${id}`
const sessionTag = (id: string) => `session:${id}`

function askedNotice(approval: Approval, sessions: readonly Session[]): AlertEffect {
  const session = sessions.find(({ id }) => id === approval.session_id)
  const t = text.approvals.alerts
  return {
    type: 'notify',
    tag: approvalTag(approval.id),
    title: t.needsYou(session ? short(sessionTitle(session), 60) : t.anAgent),
    body: short(askedWords(approval), 160),
    path: `/sessions/${approval.session_id}`,
  }
}

function askedWords(approval: Approval): string {
  const subject = subjectOf(approval)
  if (subject === '') return approval.tool
  return approval.kind === 'tool' ? `${approval.tool}: ${subject}` : subject
}

function expiredNotice(approval: Approval, sessions: readonly Session[]): AlertEffect {
  const session = sessions.find(({ id }) => id === approval.session_id)
  const t = text.approvals.alerts
  return {
    type: 'notify',
    tag: `expired:${approval.id}`,
    title: t.expired(session ? short(sessionTitle(session), 60) : t.anAgent),
    body: short(subjectOf(approval) || approval.tool, 160),
    path: `/sessions/${approval.session_id}`,
  }
}

function doneNotice(session: Session): AlertEffect {
  const t = text.approvals.alerts
  const name = short(sessionTitle(session), 60)
  const title = { failed: t.failed, interrupted: t.interrupted }[session.state as string] ?? t.finished
  return {
    type: 'notify',
    tag: sessionTag(session.id),
    title: title(name),
    body: t.finishedBody,
    path: `/sessions/${session.id}`,
  }
}

/** Notifications show text as it is: what could deceive there is made visible. */
function short(value: string, longest: number): string {
  const line = withVisibleControls(value.replace(/\s+/g, ' ').trim())
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
