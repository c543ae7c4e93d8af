/** The JSON-RPC answers and codes that in-process servers use. */
import type { JsonRpcId, JsonRpcMessage } from './server-connection.ts'

export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const RESOURCE_NOT_FOUND = -32002
export const CONNECTION_CLOSED = -32000
export const REQUEST_TIMEOUT = -32001
/** Not named by MCP, which leaves a cancelled request unanswered; the control channel wants an answer to each. */
export const REQUEST_CANCELLED = -32800

export function rpcResult(id: JsonRpcId, result: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, result }
}

export function rpcError(id: JsonRpcId, code: number, message: string, data?: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } }
}
