/** A question of an external MCP server → the program's callback. Declined where nobody can answer. */
import type { ElicitationCallback, ElicitationResult } from '../options.ts'
import type { InboundRequest } from './control-channel.ts'

export async function answerElicitation(
  request: InboundRequest,
  callback: ElicitationCallback | undefined,
): Promise<ElicitationResult> {
  if (!callback) return { action: 'decline' }
  const payload = request.payload
  const schema = payload.requested_schema
  const result = await callback(
    {
      serverName: String(payload.mcp_server_name ?? ''),
      message: String(payload.message ?? ''),
      ...(typeof payload.mode === 'string' && { mode: payload.mode }),
      ...(typeof payload.url === 'string' && { url: payload.url }),
      ...(typeof schema === 'object' &&
        schema !== null && { requestedSchema: schema as Record<string, unknown> }),
      raw: payload,
    },
    { signal: request.signal },
  )
  const valid = ['accept', 'decline', 'cancel'].includes(result?.action)
  return valid ? result : { action: 'cancel' }
}
