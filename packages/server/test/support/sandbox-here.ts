/** Whether agents' commands can be sandboxed on this machine. Says once which tests are skipped where not. */
import { findSandbox } from '../../src/adapters/system/find-sandbox.ts'

const { available, reason } = await findSandbox({ PATH: process.env.PATH })
if (!available) console.warn(`Skipped: the tests that need a sandbox for agents’ commands (${reason}).`)

export const sandboxHere = available
