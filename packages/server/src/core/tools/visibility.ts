/**
 * What an injected tool reveals is what the session may know by where it runs: in a container, of the sessions of its own workspace; in a
 * folder that nobody confirmed, of itself; elsewhere, of all that its principal has. Pure.
 */
import type { Session, Workspace } from '@dorkos/shared'
import type { Actor } from '../actor.ts'

/** `actor`: the agent, for whoever its session belongs to. */
export type Visibility = { actor: Actor } & (
  | { kind: 'all' }
  | { kind: 'workspace'; workspaceId: string }
  | { kind: 'session'; sessionId: string }
)

/** Of a session that is not known: there is nothing of theirs. */
const nobody = ''

/** `session`: undefined for a session that is not known; `workspace`: that of its record, where it is still there. */
export function visibilityOf(
  sessionId: string,
  session: { workspaceId: string | undefined; folderConfirmed: boolean; principal: string } | undefined,
  workspace: Pick<Workspace, 'id' | 'mode'> | undefined,
): Visibility {
  const isLost = session?.workspaceId !== undefined && workspace === undefined
  const actor: Actor = {
    principal: session?.principal ?? nobody,
    scopes: ['read'],
    via: { kind: 'agent', sessionId },
  }
  if (!session?.folderConfirmed || isLost) return { actor, kind: 'session', sessionId }
  if (workspace?.mode !== 'container') return { actor, kind: 'all' }
  return { actor, kind: 'workspace', workspaceId: workspace.id }
}

export function isVisible(visibility: Visibility, session: Pick<Session, 'id' | 'workspace_id'>): boolean {
  if (visibility.kind === 'all') return true
  return visibility.kind === 'session'
    ? session.id === visibility.sessionId
    : session.workspace_id === visibility.workspaceId
}
