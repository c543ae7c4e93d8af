/**
 * What an injected tool tells is what the session may know by its place: in a container, of the sessions of its own workspace; in a
 * folder that nobody confirmed, of itself; elsewhere, of all that the owner has. Pure.
 */
import type { Session, Workspace } from '@dorkos/shared'

export type Told =
  | { kind: 'all' }
  | { kind: 'workspace'; workspaceId: string }
  | { kind: 'session'; sessionId: string }

/** `place`: undefined for a session that is not known; `workspace`: that of its record, where it is still there. */
export function toldTo(
  sessionId: string,
  place: { workspaceId: string | undefined; folderConfirmed: boolean } | undefined,
  workspace: Pick<Workspace, 'id' | 'mode'> | undefined,
): Told {
  const isLost = place?.workspaceId !== undefined && workspace === undefined
  if (!place?.folderConfirmed || isLost) return { kind: 'session', sessionId }
  return workspace?.mode === 'container' ? { kind: 'workspace', workspaceId: workspace.id } : { kind: 'all' }
}

export function isTold(told: Told, session: Pick<Session, 'id' | 'workspace_id'>): boolean {
  if (told.kind === 'all') return true
  return told.kind === 'session' ? session.id === told.sessionId : session.workspace_id === told.workspaceId
}
