/** Whether containers can be made on this machine. Says once which tests are skipped where not. */
import { findContainerTools } from '../../src/adapters/container/find-container-tools.ts'

const found = await findContainerTools({ PATH: process.env.PATH })
if (!found.tools) console.warn(`Skipped: the tests of workspaces in containers (${found.reason}).`)

export const containersHere = found.tools !== undefined
