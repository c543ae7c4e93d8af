/**
 * The modes for suites that run as root and as an ordinary user (`scripts/test-user.mjs`): as the user all five; as root two, one that asks
 * and one that does not. What a mode decides does not depend on the user, how commands are held does.
 */
import { type PermissionMode, permissionModes } from '@dorkos/shared'

const inTwo = process.getuid?.() === 0 && process.env.DORKOS_TEST_MODES !== 'all'

export const modesHere: readonly PermissionMode[] = inTwo ? ['default', 'bypassPermissions'] : permissionModes
