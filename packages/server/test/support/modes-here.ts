/**
 * The modes for suites that run as root and as an ordinary user (`scripts/test-user.mjs`): as the user all five; as root two, one that asks
 * and one that does not. What a mode decides does not depend on the user, how commands are held does.
 */
import { type PermissionMode, permissionModes } from '@dorkos/shared'

const inAll = process.env.DORKOS_TEST_MODES === 'all'
const two: readonly PermissionMode[] = ['default', 'bypassPermissions']

export const modesHere = process.getuid?.() === 0 && !inAll ? two : permissionModes

/** For what wants a process of its own in each mode: two of them, whoever the user is, unless all are asked for. */
export const modesOfStarts = inAll ? permissionModes : two
