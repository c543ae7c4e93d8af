/** The sessions that the caller of an injected tool may know of. */
import type { Session } from '@dorkos/shared'
import { ownerPrincipal, serverActor } from '../actor.ts'
import type { ServerToolDeps } from './mcp-tool-deps.ts'
import type { ToolCaller } from './tool-answer.ts'
import { isVisible, type Visibility } from './visibility.ts'

/** A call without a session, as in a test, is the owner's own. */
export async function visibilityFor(
  deps: Pick<ServerToolDeps, 'visibilityOf'>,
  caller: ToolCaller | undefined,
): Promise<Visibility> {
  return caller
    ? deps.visibilityOf(caller.sessionId)
    : { actor: serverActor(ownerPrincipal, ['read']), kind: 'all' }
}

/** Newest first. */
export async function visibleSessions(
  { sessions }: Pick<ServerToolDeps, 'sessions'>,
  visibility: Visibility,
  query: { limit: number; archived?: boolean } = { limit: 200 },
): Promise<Session[]> {
  if (visibility.kind === 'session') return [await sessions.get(visibility.actor, visibility.sessionId)]
  const where = visibility.kind === 'workspace' ? { workspace_id: visibility.workspaceId } : {}
  const found = await sessions.list(visibility.actor, { ...query, ...where })
  return found.sessions.filter((session) => isVisible(visibility, session))
}
