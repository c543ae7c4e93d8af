/** The sessions that the caller of an injected tool may know of. */
import type { Session } from '@dorkos/shared'
import { ownerPrincipal, serverActor } from '../actor.ts'
import type { ServerToolDeps } from './mcp-tool-deps.ts'
import { isTold, type Told } from './told.ts'
import type { ToolCaller } from './tool-answer.ts'

/** A call without a session, as in a test, is the owner's own. */
export async function toldOf(
  deps: Pick<ServerToolDeps, 'toldTo'>,
  caller: ToolCaller | undefined,
): Promise<Told> {
  return caller
    ? deps.toldTo(caller.sessionId)
    : { actor: serverActor(ownerPrincipal, ['read']), kind: 'all' }
}

/** Newest first. */
export async function toldSessions(
  { sessions }: Pick<ServerToolDeps, 'sessions'>,
  told: Told,
  query: { limit: number; archived?: boolean } = { limit: 200 },
): Promise<Session[]> {
  if (told.kind === 'session') return [await sessions.get(told.actor, told.sessionId)]
  const where = told.kind === 'workspace' ? { workspace_id: told.workspaceId } : {}
  const found = await sessions.list(told.actor, { ...query, ...where })
  return found.sessions.filter((session) => isTold(told, session))
}
