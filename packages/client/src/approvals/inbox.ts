/** The order of the inbox. Pure. */
import type { Approval } from '@dorkos/shared'

/** By session; what expires first stands first, among the sessions and in each. */
export function inInboxOrder(approvals: readonly Approval[]): Approval[] {
  const sessions = new Map<string, Approval[]>()
  for (const approval of approvals.toSorted(byDeadline)) {
    const of = sessions.get(approval.session_id)
    if (of) of.push(approval)
    else sessions.set(approval.session_id, [approval])
  }
  return [...sessions.values()].flat()
}

function byDeadline(a: Approval, b: Approval): number {
  return (
    Date.parse(a.deadline) - Date.parse(b.deadline) ||
    Date.parse(a.created_at) - Date.parse(b.created_at) ||
    (a.id < b.id ? -1 : 1)
  )
}

export interface InboxEntries {
  pending: readonly Approval[]
  /** Ids as they are shown: what comes while one looks stands at the end. */
  order: readonly string[]
  /** Decided while one looked: they stay in their place, so that nothing else moves under a finger or a key. */
  gone: readonly Approval[]
}

const mostGone = 20

export function firstEntries(pending: readonly Approval[]): InboxEntries {
  return nextEntries({ pending: [], order: [], gone: [] }, pending)
}

export function nextEntries(before: InboxEntries, pending: readonly Approval[]): InboxEntries {
  const ids = new Set(pending.map(({ id }) => id))
  const left = [...before.gone, ...before.pending].filter(({ id }) => !ids.has(id))
  const gone = left.slice(-mostGone)
  for (const { id } of gone) ids.add(id)
  const known = new Set(before.order)
  const added = inInboxOrder(pending.filter(({ id }) => !known.has(id))).map(({ id }) => id)
  return { pending, gone, order: [...before.order.filter((id) => ids.has(id)), ...added] }
}

/** Neighbours of the same session. */
export interface InboxGroup {
  key: string
  sessionId: string
  approvals: Approval[]
}

export function shownGroups({ pending, gone, order }: InboxEntries): InboxGroup[] {
  const byId = new Map([...pending, ...gone].map((approval) => [approval.id, approval]))
  const groups: InboxGroup[] = []
  for (const id of order) {
    const approval = byId.get(id)
    if (!approval) continue
    const last = groups.at(-1)
    if (last?.sessionId === approval.session_id) last.approvals.push(approval)
    else groups.push({ key: id, sessionId: approval.session_id, approvals: [approval] })
  }
  return groups
}

/** The id after (or before) the given one; the first when it is not there. Stops at the ends. */
export function neighbour(ids: readonly string[], id: string | undefined, step: 1 | -1): string | undefined {
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at < 0) return ids[0]
  return ids[Math.min(Math.max(at + step, 0), ids.length - 1)]
}

export interface DecidedFilter {
  kind: Approval['kind'] | ''
  words: string
}

/** What was decided and fits, the newest decision first. */
export function decidedOnes(approvals: readonly Approval[], { kind, words }: DecidedFilter): Approval[] {
  const wanted = words.trim().toLowerCase()
  return approvals
    .filter((approval) => approval.state !== 'pending' && (kind === '' || approval.kind === kind))
    .filter(
      ({ tool, input, message = '' }) =>
        wanted === '' || `${tool}\n${JSON.stringify(input)}\n${message}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => Date.parse(b.decided_at ?? b.created_at) - Date.parse(a.decided_at ?? a.created_at))
}
