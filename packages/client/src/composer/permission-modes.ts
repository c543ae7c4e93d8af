/** Permission modes: which may be chosen, and in which order keys go through them. */
import { type PermissionMode, permissionModes } from '@dorkos/shared'

/** These ask a person less than the others, so to choose one is to answer for that person. */
const askLess: readonly PermissionMode[] = ['acceptEdits', 'dontAsk', 'bypassPermissions']
const cycle: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan']

export function mayChoose(mode: PermissionMode, canApprove: boolean): boolean {
  return canApprove || !askLess.includes(mode)
}

/** As in the CLI: default, accept edits, plan, and around. From any other mode it goes back to asking. */
export function nextMode(mode: PermissionMode, canApprove: boolean): PermissionMode {
  const allowed = cycle.filter((one) => mayChoose(one, canApprove))
  return allowed[(allowed.indexOf(mode) + 1) % allowed.length] ?? 'default'
}

export function isPermissionMode(value: unknown): value is PermissionMode {
  return permissionModes.some((mode) => mode === value)
}
