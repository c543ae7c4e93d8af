/**
 * `get_session_count`, `list_sessions`, `get_session_details` and `list_active_sessions`. Agents see the sessions that they may know
 * of (`visibility.ts`), but never what was said in one: a session in another workspace may have read what is not for this one.
 */
import type { Session } from '@dorkos/shared'
import { ownerPrincipal } from '../actor.ts'
import type { McpToolDeps, ServerToolDeps } from './mcp-tool-deps.ts'
import { answering, cut, type ToolCaller } from './tool-answer.ts'
import { isVisible } from './visibility.ts'
import { visibilityFor, visibleSessions } from './visible-sessions.ts'

const STANDARD_LIMIT = 20
const MAX_LIMIT = 100

export function createGetSessionCountHandler(deps: McpToolDeps) {
  const { server } = deps
  const handle = answering('Failed to list sessions', async (_args: object, caller) => {
    const visibility = server && (await visibilityFor(server, caller))
    // Transcripts are the owner's.
    if (visibility && (visibility.kind !== 'all' || visibility.actor.principal !== ownerPrincipal))
      return { count: (await visibleSessions(server, visibility)).length }
    const sessions = await deps.transcriptReader.listSessions(deps.defaultCwd)
    return { count: sessions.length, cwd: deps.defaultCwd }
  })
  return function handleGetSessionCount(_args: object = {}, caller?: ToolCaller) {
    return handle({}, caller)
  }
}

export function createListSessionsHandler(deps: Pick<ServerToolDeps, 'sessions' | 'visibilityOf'>) {
  return answering<{ limit?: number | undefined; archived?: boolean | undefined }>(
    'Failed to list sessions',
    async (args, caller) => {
      const limit = bounded(args.limit)
      const visibility = await visibilityFor(deps, caller)
      // One more than asked for shows whether there are more.
      const query = { limit: limit + 1, archived: args.archived ?? false }
      const wanted = await visibleSessions(deps, visibility, query)
      return {
        sessions: wanted.slice(0, limit).map((session) => brief(session, caller)),
        has_more: wanted.length > limit,
      }
    },
  )
}

export function createGetSessionDetailsHandler(deps: Pick<ServerToolDeps, 'sessions' | 'visibilityOf'>) {
  return answering<{ session_id?: string | undefined }>(
    'Failed to read the session',
    async (args, caller) => {
      const id = args.session_id ?? caller?.sessionId
      if (id === undefined) throw new Error('Name a session_id; list_sessions gives them.')
      const visibility = await visibilityFor(deps, caller)
      const session = await deps.sessions.get(visibility.actor, id)
      if (!isVisible(visibility, session)) throw new Error(`There is no session ${cut(id, 100)}.`)
      return { ...brief(session, caller), ...details(session) }
    },
  )
}

export function createListActiveSessionsHandler(deps: Pick<ServerToolDeps, 'sessions' | 'visibilityOf'>) {
  return answering<{ limit?: number | undefined }>('Failed to list active sessions', async (args, caller) => {
    const visibility = await visibilityFor(deps, caller)
    const live = await deps.sessions.list(visibility.actor, { live: true, limit: 200 })
    const sessions = live.sessions.filter((session) => isVisible(visibility, session))
    return {
      sessions: sessions.slice(0, bounded(args.limit)).map((session) => brief(session, caller)),
      count: sessions.length,
    }
  })
}

function bounded(limit = STANDARD_LIMIT): number {
  return Math.max(1, Math.min(MAX_LIMIT, Math.floor(limit) || STANDARD_LIMIT))
}

function brief(session: Session, caller: ToolCaller | undefined): Record<string, unknown> {
  return {
    id: session.id,
    ...(session.id === caller?.sessionId ? { current: true } : {}),
    title: session.title === undefined ? undefined : cut(session.title, 200),
    state: session.state,
    live: session.live,
    origin: session.origin,
    cwd: cut(session.cwd),
    workspace_id: session.workspace_id,
    model: session.model,
    permission_mode: session.permission_mode,
    pending_approvals: session.pending_approvals,
    cost_usd: session.cost_usd,
    updated_at: session.updated_at,
  }
}

function details(session: Session): Record<string, unknown> {
  return {
    created_at: session.created_at,
    branch: session.branch === undefined ? undefined : cut(session.branch, 200),
    message_count: session.message_count,
    queued_messages: session.queued_messages,
    max_turns: session.max_turns,
    budget_usd: session.budget_usd,
    unattended: session.unattended,
    archived: session.archived,
    pinned: session.pinned,
    demo: session.demo,
    in_use_elsewhere: session.in_use_elsewhere,
    forked_from: session.forked_from,
  }
}
