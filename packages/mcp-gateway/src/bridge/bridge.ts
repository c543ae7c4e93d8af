/** Offers one server to any number of sessions, each with a hold of its own. */
import { BridgeConnection } from './bridge-connection.ts'
import type { BridgedServer, BridgeOptions } from './bridge-types.ts'
import { offeredNameFault } from './tool-names.ts'

/** Throws where the name leaves no room for the names of tools, or could be mistaken for another's. */
export function createBridge(options: BridgeOptions): BridgedServer {
  const fault = offeredNameFault(options.name)
  if (fault !== undefined) throw new Error(fault)
  return {
    type: 'sdk',
    name: options.name,
    // The hold ends calls that take too long: the session's own clock would not know of progress.
    timeout: undefined,
    connect: (link) => new BridgeConnection(options, link),
  }
}
