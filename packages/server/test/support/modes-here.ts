/**
 * The modes in which suites try what holds in every mode. To root the same is tried in two alone, one that asks and one that does not: what
 * a mode decides does not depend on the user, how commands are held does. `npm test` runs these suites as an ordinary user too, in all five.
 */
import { type PermissionMode, permissionModes } from '@dorkos/shared'

const inTwo = process.getuid?.() === 0 && process.env.DORKOS_TEST_MODES !== 'all'

export const modesHere: readonly PermissionMode[] = inTwo ? ['default', 'bypassPermissions'] : permissionModes
