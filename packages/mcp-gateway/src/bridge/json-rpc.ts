/** The JSON-RPC answers and codes of bridged servers. */
import type { JsonRpcMessage } from './bridge-types.ts'

export type JsonRpcId = string | number

export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const CONNECTION_CLOSED = -32000
/** Not named by MCP, which leaves a cancelled request unanswered; the session wants an answer to each. */
export const REQUEST_CANCELLED = -32800

export function rpcResult(id: JsonRpcId, result: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, result }
}

export function rpcError(id: JsonRpcId, code: number, message: string, data?: unknown): JsonRpcMessage {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } }
}
