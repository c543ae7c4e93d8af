/** The cases on which safety hangs, with every run of the tests; those of the sandbox are beside this file. */
import { sandboxCases } from './areas/sandbox.ts'
import { testSecurityCases } from './security-tests.ts'
import { contractCases } from './suite.ts'

await testSecurityCases(contractCases.filter((one) => !sandboxCases.includes(one)))
