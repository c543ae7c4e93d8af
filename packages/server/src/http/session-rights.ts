/**
 * What `chat` alone may not do to a session. A token with `chat` starts sessions and talks to them; to ask a person less, or to
 * spend more than the owner set, is an answer in the person's name and needs `approve`. So does driving a session in which
 * somebody else chose to be asked less.
 */
import type { PermissionMode, Session } from '@dorkos/shared'
import type { Caller, ConfigService, SessionService } from '../core/services.ts'
import { requireScope } from './route.ts'

const askingModes: readonly PermissionMode[] = ['default', 'plan']

export function checkPermissionMode(caller: Caller, mode: PermissionMode | undefined): void {
  if (mode === undefined || askingModes.includes(mode)) return
  requireScope(caller, 'approve', `The permission mode \`${mode}\``)
}

export type CheckDriving = (caller: Caller, sessionId: string) => Promise<Session>

/** Whether the caller may make this session work, in the mode that it has. The mode that every new session gets is no one's choice. */
export function createDrivingCheck(sessions: SessionService, config: ConfigService): CheckDriving {
  return async (caller, sessionId) => {
    const session = await sessions.get(sessionId)
    const mode = session.permission_mode
    if (askingModes.includes(mode) || configured(config, 'sessions.permissionMode') === mode) return session
    requireScope(caller, 'approve', `A session in the permission mode \`${mode}\``)
    return session
  }
}

/** Names of files are part of what a person confirms. */
export function checkFolder(caller: Caller, session: Session): void {
  const { needs_folder_confirmation: isUnconfirmed, origin, workspace_id } = session
  if (isUnconfirmed || (origin === 'terminal' && workspace_id === undefined))
    requireScope(caller, 'approve', 'A folder outside of any workspace that nobody has confirmed')
}

/** `current`: the session's own budget, if it has one. Otherwise the configured one is what must not be raised. */
export function checkBudget(
  caller: Caller,
  wanted: number | null | undefined,
  config: ConfigService,
  current?: number,
): void {
  if (wanted === undefined) return
  const standard = standardBudget(config, Number.MIN_VALUE)
  // Taking the session's own budget away is a higher one too, where the configured one cannot be told.
  if (limitOf(wanted ?? standardBudget(config, 0)) <= limitOf(current ?? standard)) return
  requireScope(caller, 'approve', 'A higher budget')
}

/** 0 means no limit. */
function limitOf(budget: number): number {
  return budget === 0 ? Number.POSITIVE_INFINITY : budget
}

function standardBudget(config: ConfigService, unknown: number): number {
  const value = configured(config, 'sessions.budgetUsd')
  return typeof value === 'number' ? value : unknown
}

function configured(config: ConfigService, key: string): unknown {
  return config.view().keys.find(({ path }) => path === key)?.value
}
