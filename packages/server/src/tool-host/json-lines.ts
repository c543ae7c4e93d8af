/** JSON-RPC by lines, on a process's own streams. */
import type { Readable, Writable } from 'node:stream'
import type { JsonRpcMessage } from 'claude-code-agent'

const longestLine = 16 * 1024 * 1024

/** Calls `onEnd` when nobody can say anything any more. What is no message is left out. */
export function readMessages(
  input: Readable,
  onMessage: (message: JsonRpcMessage) => void,
  onEnd: () => void,
): void {
  let parts: string[] = []
  let length = 0
  input.setEncoding('utf8')
  input.on('data', (chunk: string) => {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      const message = parse([...parts, line].join(''))
      parts = []
      length = 0
      if (message) onMessage(message)
    }
    parts.push(last)
    length += last.length
    if (length > longestLine) onEnd()
  })
  input.on('end', onEnd)
  input.on('error', onEnd)
}

/**
 * A line's end before each message, too: what a module writes past us to the same stream (by its file descriptor, or by a child that
 * inherits it) is then a line of its own, which clients leave out.
 */
export function writeMessage(output: Writable, message: JsonRpcMessage): void {
  output.write(`\n${JSON.stringify(message)}\n`)
}

function parse(line: string): JsonRpcMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const { jsonrpc, id, method, params } = value as Record<string, unknown>
    if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined
    if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return undefined
    const isObject = typeof params === 'object' && params !== null && !Array.isArray(params)
    return {
      jsonrpc,
      method,
      ...(id === undefined ? {} : { id }),
      ...(isObject ? { params: params as Record<string, unknown> } : {}),
    }
  } catch {
    return undefined
  }
}
