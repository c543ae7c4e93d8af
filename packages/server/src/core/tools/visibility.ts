/**
 * What an injected tool reveals is what the session may know by its place: in a container, of the sessions of its own workspace; in a
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

/** `place`: undefined for a session that is not known; `workspace`: that of its record, where it is still there. */
export function visibilityOf(
  sessionId: string,
  place: { workspaceId: string | undefined; folderConfirmed: boolean; principal: string } | undefined,
  workspace: Pick<Workspace, 'id' | 'mode'> | undefined,
): Visibility {
  const isLost = place?.workspaceId !== undefined && workspace === undefined
  const actor: Actor = {
    principal: place?.principal ?? nobody,
    scopes: ['read'],
    via: { kind: 'agent', sessionId },
  }
  if (!place?.folderConfirmed || isLost) return { actor, kind: 'session', sessionId }
  if (workspace?.mode !== 'container') return { actor, kind: 'all' }
  return { actor, kind: 'workspace', workspaceId: workspace.id }
}

export function isVisible(visibility: Visibility, session: Pick<Session, 'id' | 'workspace_id'>): boolean {
  if (visibility.kind === 'all') return true
  return visibility.kind === 'session'
    ? session.id === visibility.sessionId
    : session.workspace_id === visibility.workspaceId
}
