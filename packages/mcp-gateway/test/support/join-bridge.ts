/** A bridged server joined to a session, from the session's side. */
import { expect } from 'vitest'
import { createBridge } from '../../src/bridge/bridge.ts'
import type { BridgeOptions, JsonRpcMessage } from '../../src/bridge/bridge-types.ts'
import type { Catalogue } from '../../src/catalogue/catalogue.ts'
import { type FakeHold, fakeHold } from './fake-hold.ts'

interface Joined {
  hold: FakeHold
  sent: JsonRpcMessage[]
  calls: string[]
  /** Asks with the next id; resolves with the response. */
  ask(method: string, params?: Record<string, unknown>, id?: number): Promise<JsonRpcMessage>
  notify(method: string, params?: Record<string, unknown>): void
  toolNames(): Promise<unknown[]>
  manifest(): Promise<{ initializeResult: Record<string, unknown>; toolsListResult: { tools: unknown[] } }>
  close(): void
}

export function joinBridge(
  parts: Partial<Catalogue> = {},
  options: Partial<BridgeOptions> = {},
  sessionId = 's1',
): Joined {
  const hold = fakeHold(parts)
  const sent: JsonRpcMessage[] = []
  const calls: string[] = []
  const bridge = createBridge({ name: 'up', hold: () => hold, ...options })
  const connection = bridge.connect({
    sessionId,
    send: (message) => sent.push(message),
    toolCallStarted: (call) =>
      calls.push(`start ${call.toolUseId} ${call.toolName} ${JSON.stringify(call.arguments)}`),
    toolCallEnded: (id) => calls.push(`end ${id}`),
  })
  let lastId = 0
  const ask = async (method: string, params?: Record<string, unknown>, id = ++lastId) => {
    const response = await connection.handle({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) })
    expect(response).toMatchObject({ jsonrpc: '2.0', id })
    return response as JsonRpcMessage
  }
  return {
    hold,
    sent,
    calls,
    ask,
    notify: (method, params) => {
      void connection.handle({ jsonrpc: '2.0', method, ...(params ? { params } : {}) })
    },
    toolNames: async () => {
      const { tools } = (await ask('tools/list')).result as { tools: { name: string }[] }
      return tools.map((tool) => tool.name)
    },
    manifest: () => connection.manifest(),
    close: () => connection.close(),
  }
}

/** Whatever was to be notified is notified. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
export const methods = (messages: JsonRpcMessage[]) => messages.map((message) => message.method)
export const textOf = (response: JsonRpcMessage) =>
  (response.result as { content: { text: string }[] }).content.map((block) => block.text).join()
