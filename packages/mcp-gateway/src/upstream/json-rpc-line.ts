/** One line of a server's output as a JSON-RPC message, corrected where servers are known to be sloppy. */
import { isRecord } from '@dorkos/processes'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isNestedTooDeeply } from './depth-scan.ts'

type Fields = Record<string, unknown>

/** `undefined` for what is no message: a banner, a log line, anything; and for what would take a parser too long. */
export function parseJsonRpcLine(line: string): JSONRPCMessage | undefined {
  if (isNestedTooDeeply(line)) return undefined
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isRecord(value) || value.jsonrpc !== '2.0') return undefined
  if (typeof value.method === 'string') return requestOf(value, value.method)
  return isId(value.id) ? responseOf(value, value.id) : undefined
}

function requestOf(value: Fields, method: string): JSONRPCMessage | undefined {
  const params = isRecord(value.params) ? { params: value.params } : {}
  if (value.id === undefined || value.id === null) return { jsonrpc: '2.0', method, ...params }
  return isId(value.id) ? { jsonrpc: '2.0', id: value.id, method, ...params } : undefined
}

/** Some servers send `error: null` with a result, and codes that are no numbers; the strict reader would not see an answer in them. */
function responseOf(value: Fields, id: string | number): JSONRPCMessage {
  if (isRecord(value.error)) {
    const { code, message, data } = value.error
    return {
      jsonrpc: '2.0',
      id,
      error: {
        code: Number.isSafeInteger(code) ? (code as number) : -32603,
        message: typeof message === 'string' ? message : 'The server gave an error without a message.',
        ...(data === undefined ? {} : { data }),
      },
    }
  }
  if (isRecord(value.result)) return { jsonrpc: '2.0', id, result: value.result }
  const message = 'The server gave an answer that is neither a result nor an error.'
  return { jsonrpc: '2.0', id, error: { code: -32603, message } }
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value.length <= 200) || Number.isSafeInteger(value)
}
