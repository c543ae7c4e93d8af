/** Which sessions have news: they finished, failed or were cut off since this browser last showed them. */
import type { Session } from '@dorkos/shared'

export interface Seen {
  /** What is older counts as seen. */
  readonly since: string
  /** By session: its `updated_at` when it was last in sight. */
  readonly sessions: Readonly<Record<string, string>>
}

const mostSessions = 500

export function emptySeen(now: string): Seen {
  return { since: now, sessions: {} }
}

/** From storage; undefined when it is not that. */
export function readSeen(value: unknown): Seen | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { since, sessions } = value as { since?: unknown; sessions?: unknown }
  if (typeof since !== 'string' || typeof sessions !== 'object' || sessions === null) return undefined
  const entries = Object.entries(sessions).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return { since, sessions: Object.fromEntries(entries) }
}

/** One that works has no news yet; one that runs in a terminal is somebody else's to read. */
export function isUnread(session: Session, seen: Seen): boolean {
  if (session.origin === 'terminal' || session.archived) return false
  if (session.state === 'working' || session.message_count === 0) return false
  return session.updated_at > lastSeen(session.id, seen)
}

function lastSeen(id: string, seen: Seen): string {
  const own = Object.hasOwn(seen.sessions, id) ? seen.sessions[id] : undefined
  return own !== undefined && own > seen.since ? own : seen.since
}

/** The same object when there is nothing new in it. */
export function withSeen(seen: Seen, id: string, updatedAt: string): Seen {
  if (updatedAt <= lastSeen(id, seen)) return seen
  return bounded({ ...seen, sessions: { ...seen.sessions, [id]: updatedAt } })
}

/** The oldest go, and with them all that is as old. */
function bounded(seen: Seen): Seen {
  const entries = Object.entries(seen.sessions)
  if (entries.length <= mostSessions) return seen
  const sorted = entries.toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
  const dropped = sorted[mostSessions]?.[1] ?? ''
  return {
    since: [dropped, seen.since].toSorted().at(-1) ?? seen.since,
    sessions: Object.fromEntries(sorted.slice(0, mostSessions)),
  }
}
