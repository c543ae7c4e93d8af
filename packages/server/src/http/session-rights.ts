/**
 * What `chat` alone may not do to a session. A token with `chat` starts sessions and talks to them; to ask a person less, or to
 * spend more than the owner set, is an answer in the person's name and needs `approve`. So does driving a session in which
 * somebody else chose to be asked less.
 */
import { type PermissionMode, type Session, say } from '@dorkos/shared'
import type { Actor } from '../core/actor.ts'
import type { ConfigService, SessionService } from '../core/services.ts'
import { requireScope } from './route.ts'

const askingModes: readonly PermissionMode[] = ['default', 'plan']

export function checkPermissionMode(actor: Actor, mode: PermissionMode | undefined): void {
  if (mode === undefined || askingModes.includes(mode)) return
  requireScope(actor, 'approve', say('scope_needed_for_mode', { scope: 'approve', mode }))
}

export type CheckDriving = (actor: Actor, sessionId: string) => Promise<Session>

/** Whether the actor may make this session work, in the mode that it has. The mode that every new session gets is no one's choice. */
export function createDrivingCheck(sessions: SessionService, config: ConfigService): CheckDriving {
  return async (actor, sessionId) => {
    const session = await sessions.get(actor, sessionId)
    const mode = session.permission_mode
    if (askingModes.includes(mode) || configured(actor, config, 'sessions.permissionMode') === mode)
      return session
    requireScope(actor, 'approve', say('scope_needed_for_session', { scope: 'approve', mode }))
    return session
  }
}

/** Names of files are part of what a person confirms. */
export function checkFolder(actor: Actor, session: Session): void {
  const { needs_folder_confirmation: isUnconfirmed, origin, workspace_id } = session
  if (isUnconfirmed || (origin === 'terminal' && workspace_id === undefined))
    requireScope(actor, 'approve', say('scope_needed_for_folder', { scope: 'approve' }))
}

/** `current`: the session's own budget, if it has one. Otherwise the configured one is what must not be raised. */
export function checkBudget(
  actor: Actor,
  wanted: number | null | undefined,
  config: ConfigService,
  current?: number,
): void {
  if (wanted === undefined) return
  const standard = standardBudget(actor, config, Number.MIN_VALUE)
  // Taking the session's own budget away is a higher one too, where the configured one cannot be determined.
  if (limitOf(wanted ?? standardBudget(actor, config, 0)) <= limitOf(current ?? standard)) return
  requireScope(actor, 'approve', say('scope_needed_for_budget', { scope: 'approve' }))
}

/** 0 means no limit. */
function limitOf(budget: number): number {
  return budget === 0 ? Number.POSITIVE_INFINITY : budget
}

function standardBudget(actor: Actor, config: ConfigService, unknown: number): number {
  const value = configured(actor, config, 'sessions.budgetUsd')
  return typeof value === 'number' ? value : unknown
}

function configured(actor: Actor, config: ConfigService, key: string): unknown {
  return config.view(actor).keys.find(({ path }) => path === key)?.value
}
