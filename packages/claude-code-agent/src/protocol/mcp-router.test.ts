import { describe, expect, it, vi } from 'vitest'
import type { JsonRpcMessage, ServerLink } from '../tools/server-connection.ts'
import { type ConnectableServer, McpRouter } from './mcp-router.ts'

const request = (server: string, message: Partial<JsonRpcMessage>) => ({
  id: 'r',
  subtype: 'mcp_message',
  payload: { server_name: server, message: { jsonrpc: '2.0', id: 1, ...message } },
  signal: new AbortController().signal,
})

function setUp(names = ['s']) {
  const links = new Map<string, ServerLink>()
  const closed: string[] = []
  const handled: JsonRpcMessage[] = []
  const servers = new Map<string, ConnectableServer>(
    names.map((name) => [
      name,
      {
        connect(link) {
          links.set(name, link)
          return {
            manifest: async () => undefined,
            handle: async (message) => {
              handled.push(message)
              return message.id === undefined ? undefined : { jsonrpc: '2.0', id: message.id, result: {} }
            },
            close: () => closed.push(name),
          }
        },
      },
    ]),
  )
  const sent: [string, string | undefined][] = []
  const router = new McpRouter({
    sessionId: 'session',
    send: (name, message) => sent.push([name, message.method]),
    toolCallStarted: () => {},
    toolCallEnded: () => {},
  })
  router.replace(servers)
  return { router, servers, links, closed, handled, sent }
}

const changed: JsonRpcMessage = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

describe('routing', () => {
  it('answers for an unknown server with an error, and a notification with an acknowledgement', async () => {
    const { router } = setUp()
    expect(await router.handle(request('ghost', { method: 'tools/list' }))).toMatchObject({
      mcp_response: { id: 1, error: { message: expect.stringContaining('ghost') } },
    })
    const note = request('s', { method: 'notifications/initialized' })
    delete (note.payload.message as Partial<JsonRpcMessage>).id
    expect(await router.handle(note)).toEqual({ mcp_response: { jsonrpc: '2.0', result: {}, id: 0 } })
  })

  it('keeps the connection of a server that stays, and closes one that goes', () => {
    const { router, servers, closed, links } = setUp(['a', 'b'])
    const link = links.get('a')
    servers.delete('b')
    const change = router.replace(servers)
    expect(closed).toEqual([])
    change.keep()
    expect(closed).toEqual(['b'])
    expect(links.get('a')).toBe(link)
    router.close()
    expect(closed).toEqual(['b', 'a'])
  })

  it('is as before when a new server cannot be connected, or the change is undone', async () => {
    const { router, servers, closed } = setUp(['a'])
    const refusing = {
      connect: () => {
        throw new Error('in use')
      },
    }
    const fresh = setUp(['c']).servers.get('c') as ConnectableServer
    expect(() =>
      router.replace(
        new Map([
          ['c', fresh],
          ['d', refusing],
        ]),
      ),
    ).toThrow('in use')
    expect(await router.handle(request('a', { method: 'ping' }))).toMatchObject({
      mcp_response: { result: {} },
    })
    router.replace(new Map([['c', fresh]])).undo()
    expect(await router.handle(request('a', { method: 'ping' }))).toMatchObject({
      mcp_response: { result: {} },
    })
    expect(await router.handle(request('c', { method: 'ping' }))).toMatchObject({
      mcp_response: { error: {} },
    })
    expect(closed).toEqual([])
    expect(servers.size).toBe(1)
  })

  it('keeps what a server says before the CLI is there, and sends it then', () => {
    const { router, links, sent } = setUp()
    links.get('s')?.send(changed)
    expect(sent).toEqual([])
    router.open()
    expect(sent).toEqual([['s', 'notifications/tools/list_changed']])
  })
})

describe('a changed list of tools', () => {
  it('is taken up once the CLI has asked for it; the answer of a tool waits for that', async () => {
    const { router, links } = setUp()
    router.open()
    expect(router.refreshed()).toBeUndefined()
    links.get('s')?.send(changed)
    const order: string[] = []
    const call = (router.handle(request('s', { method: 'tools/call' })) as Promise<unknown>).then(() =>
      order.push('call'),
    )
    const refreshed = router.refreshed()?.then(() => order.push('refreshed'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    await (router.handle(request('s', { method: 'tools/list' })) as Promise<unknown>).then(() =>
      order.push('list'),
    )
    await Promise.all([call, refreshed])
    expect(order[0]).toBe('list')
    expect(order.toSorted()).toEqual(['call', 'list', 'refreshed'])
    expect(router.refreshed()).toBeUndefined()
  })

  it('does not hold anything up for long when the CLI never asks, nor past the end', async () => {
    vi.useFakeTimers()
    try {
      const { router, links } = setUp()
      router.open()
      links.get('s')?.send(changed)
      const refreshed = router.refreshed()
      await vi.advanceTimersByTimeAsync(2100)
      await refreshed
      links.get('s')?.send(changed)
      const again = router.refreshed()
      router.close()
      await vi.advanceTimersByTimeAsync(1)
      await again
    } finally {
      vi.useRealTimers()
    }
  })
})
