/** Run as an ordinary user, too (`scripts/test-user.mjs`): what a sandbox holds depends on who makes it. */
import { sandboxCases } from './areas/sandbox.ts'
import { testSecurityCases } from './security-tests.ts'

await testSecurityCases(sandboxCases)
