/** The list of sessions as it is shown: what the server listed and what happened since, by workspace. */
import type { Session, Workspace } from '@dorkos/shared'
import { text } from '../text/text.ts'

export const sessionFilters = ['active', 'terminal', 'archived'] as const
export type SessionFilter = (typeof sessionFilters)[number]

export interface SessionGroup {
  /** The same while the group exists, to remember whether it is open. */
  readonly key: string
  readonly title: string
  /** The whole path, where the title is a part of it. */
  readonly path: string | undefined
  readonly sessions: readonly Session[]
}

function fits(session: Session, filter: SessionFilter): boolean {
  if (filter === 'archived') return session.archived
  return !session.archived && (filter === 'active' || session.origin === 'terminal')
}

/** Each session once, the newest change first. Of two versions of one session the newer counts, and of equals what was published live. */
export function mergeSessions(
  listed: readonly Session[],
  published: readonly Session[],
  filter: SessionFilter,
): Session[] {
  const byId = new Map<string, Session>()
  for (const session of [...listed, ...published]) {
    const known = byId.get(session.id)
    if (!known || session.updated_at >= known.updated_at) byId.set(session.id, session)
  }
  return [...byId.values()].filter((session) => fits(session, filter)).toSorted(newestFirst)
}

function newestFirst(a: Session, b: Session): number {
  if (a.updated_at !== b.updated_at) return a.updated_at < b.updated_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}

/** Pinned ones first, then a group for each workspace, and for each directory that is in none. `sessions` are sorted. */
export function groupSessions(
  sessions: readonly Session[],
  workspaces: readonly Workspace[],
): SessionGroup[] {
  const names = new Map(workspaces.map(({ id, name, path }) => [id, { name, path }]))
  const groups = new Map<string, { title: string; path: string | undefined; sessions: Session[] }>()
  const pinned = sessions.filter(({ pinned }) => pinned)
  if (pinned.length > 0)
    groups.set('pinned', { title: text.sessions.pinned, path: undefined, sessions: pinned })
  for (const session of sessions) {
    if (session.pinned) continue
    const { key, title, path } = groupOf(session, names)
    const group = groups.get(key)
    if (group) group.sessions.push(session)
    else groups.set(key, { title, path, sessions: [session] })
  }
  return [...groups].map(([key, group]) => ({ key, ...group }))
}

function groupOf(
  { workspace_id: id, cwd }: Session,
  names: ReadonlyMap<string, { name: string; path: string }>,
): { key: string; title: string; path: string | undefined } {
  const workspace = id === undefined ? undefined : names.get(id)
  if (id !== undefined && workspace)
    return { key: `workspace:${id}`, title: workspace.name, path: workspace.path }
  if (cwd === '') return { key: 'elsewhere', title: text.sessions.elsewhere, path: undefined }
  return { key: `directory:${cwd}`, title: lastPart(cwd), path: cwd }
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path
}

export type ListRow =
  | { readonly kind: 'group'; readonly group: SessionGroup; readonly open: boolean }
  | { readonly kind: 'session'; readonly session: Session }

/** The rows of the list; those of a closed group are left out. */
export function listRows(groups: readonly SessionGroup[], closed: ReadonlySet<string>): ListRow[] {
  return groups.flatMap((group): ListRow[] => {
    const open = !closed.has(group.key)
    const head: ListRow = { kind: 'group', group, open }
    return open ? [head, ...group.sessions.map((session): ListRow => ({ kind: 'session', session }))] : [head]
  })
}

/** The session before or after another, as the list shows them. */
export function neighbourSession(
  groups: readonly SessionGroup[],
  id: string | undefined,
  step: 1 | -1,
): Session | undefined {
  const all = groups.flatMap(({ sessions }) => sessions)
  const at = all.findIndex((session) => session.id === id)
  if (at < 0) return step === 1 ? all[0] : all.at(-1)
  return all[at + step]
}
