import { randomUUID } from 'node:crypto'
import type { Output } from './output.ts'
import type { JsonObject } from './scenario.ts'

/** How a request to the host ended. */
export type HostAnswer =
  | { outcome: 'answered'; response: JsonObject }
  | { outcome: 'error'; error: string }
  | { outcome: 'withdrawn' | 'interrupted' | 'closed' }

interface OpenRequest {
  request: JsonObject
  /** A question is withdrawn by control_cancel_request, a tool call by an MCP notification. */
  kind: 'question' | 'tool_call' | 'handshake'
  settle(answer: HostAnswer): void
}

/** Requests from this process to the host, by id, until they are answered. */
export interface HostRequests {
  ask(request: JsonObject): Promise<HostAnswer>
  mcp(server: string, message: JsonObject, kind: 'tool_call' | 'handshake'): Promise<HostAnswer>
  /** For a caller that writes the request itself. */
  register(id: string, open: OpenRequest): void
  /** A control_response of the host; an unknown id is passed over, as the real CLI does. */
  settle(response: JsonObject): void
  openQuestions(): JsonObject[]
  /** Resolves once a question is open. */
  questionOpened(): Promise<void>
  /** Takes back open questions. */
  withdraw(): void
  /** Takes back everything that is open; says whether there was anything. */
  interrupt(): boolean
  /** The host closed its end: no answer can come. */
  close(): void
}

export function createHostRequests(output: Output): HostRequests {
  const open = new Map<string, OpenRequest>()
  let waiting: (() => void)[] = []
  let closed = false

  const notify = (server: unknown, message: JsonObject): void => {
    const request = { subtype: 'mcp_message', server_name: server, message: { jsonrpc: '2.0', ...message } }
    output.send({ type: 'control_request', request_id: randomUUID(), request })
  }
  const send = (request: JsonObject, kind: OpenRequest['kind']): Promise<HostAnswer> => {
    if (closed) return Promise.resolve({ outcome: 'closed' })
    const id = randomUUID()
    output.send({ type: 'control_request', request_id: id, request })
    return new Promise((resolve) => {
      open.set(id, { request, kind, settle: resolve })
      if (kind !== 'question') return
      for (const wake of waiting) wake()
      waiting = []
    })
  }
  const takeBack = (outcome: 'withdrawn' | 'interrupted'): boolean => {
    let found = false
    for (const [id, entry] of open) {
      if (entry.kind === 'handshake') continue
      if (entry.kind === 'tool_call' && outcome === 'withdrawn') continue
      found = true
      open.delete(id)
      if (entry.kind === 'question') output.send({ type: 'control_cancel_request', request_id: id })
      else notify(entry.request.server_name, cancelled(entry.request))
      entry.settle({ outcome })
    }
    return found
  }
  return {
    ask: (request) => send(request, 'question'),
    mcp: (server, message, kind) => {
      const request = { subtype: 'mcp_message', server_name: server, message: { jsonrpc: '2.0', ...message } }
      return send(request, kind)
    },
    register: (id, entry) => {
      open.set(id, entry)
    },
    settle: (response) => {
      const id = String(response.request_id)
      const entry = open.get(id)
      if (entry === undefined) return
      open.delete(id)
      if (response.subtype === 'error') {
        entry.settle({ outcome: 'error', error: String(response.error) })
      } else {
        entry.settle({ outcome: 'answered', response: (response.response ?? {}) as JsonObject })
      }
    },
    openQuestions: () =>
      [...open].flatMap(([id, entry]) =>
        entry.kind === 'question'
          ? [{ type: 'control_request', request_id: id, request: entry.request }]
          : [],
      ),
    questionOpened: () => {
      if ([...open.values()].some((entry) => entry.kind === 'question')) return Promise.resolve()
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    withdraw: () => {
      takeBack('withdrawn')
    },
    interrupt: () => takeBack('interrupted'),
    close: () => {
      closed = true
      for (const entry of open.values()) entry.settle({ outcome: 'closed' })
      open.clear()
    },
  }
}

function cancelled(request: JsonObject): JsonObject {
  const { id } = request.message as { id: number }
  return {
    method: 'notifications/cancelled',
    params: { requestId: id, reason: 'AbortError: remote-cancel' },
  }
}
