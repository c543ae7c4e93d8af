/** Calls of in-process tools → the state of the session. */
import type { McpRouterOptions } from '../protocol/mcp-router.ts'
import { prefixedToolName } from '../tools/server-names.ts'
import type { StateTracker } from './state-machine.ts'
import { timestamp } from './timestamp.ts'

export function trackToolCalls(
  tracker: StateTracker,
): Pick<McpRouterOptions, 'toolCallStarted' | 'toolCallEnded'> {
  return {
    // Field by field here and in the router: rest and spread would cost as much as all else of a tool call.
    toolCallStarted: ({ serverName, toolUseId, toolName, arguments: given }) =>
      tracker.apply({
        type: 'tool_call_start',
        call: {
          toolUseId,
          toolName: prefixedToolName(serverName, toolName),
          serverName,
          arguments: given,
          startedAt: timestamp(),
        },
      }),
    toolCallEnded: (toolUseId) => tracker.apply({ type: 'tool_call_end', toolUseId }),
  }
}
