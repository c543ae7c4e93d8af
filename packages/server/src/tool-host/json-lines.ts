/** JSON-RPC by lines, on a process's own streams. */
import type { Readable, Writable } from 'node:stream'
import { isRecord, JsonLineReader } from '@dorkos/processes'
import type { JsonRpcMessage } from 'claude-code-agent'

const maxLineBytes = 16 * 1024 * 1024

/** Calls `onEnd` when nobody can say anything any more. What is no message is left out. */
export function readMessages(
  input: Readable,
  onMessage: (message: JsonRpcMessage) => void,
  onEnd: () => void,
): void {
  const lines = new JsonLineReader({
    maxLineBytes,
    onMessage: (value) => {
      const message = messageOf(value)
      if (message) onMessage(message)
    },
    onFault: ({ kind }) => {
      if (kind === 'too_long') onEnd()
    },
  })
  input.on('data', (chunk: Buffer) => lines.push(chunk))
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

function messageOf({ jsonrpc, id, method, params }: Record<string, unknown>): JsonRpcMessage | undefined {
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') return undefined
  return {
    jsonrpc,
    method,
    ...(id === undefined ? {} : { id }),
    ...(isRecord(params) ? { params } : {}),
  }
}
