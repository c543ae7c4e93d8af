/** MCP servers behind HTTP, of every kind that is about. */
import { randomUUID } from 'node:crypto'
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { Server as OlderServer } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server'

export interface WebServer {
  url: string
  port: number
  /** Method and path of each request. */
  requests: string[]
  /** Whoever is connected is cut off. */
  close(): Promise<void>
}

export async function listen(handler: RequestListener, port = 0): Promise<WebServer> {
  const requests: string[] = []
  const server: HttpServer = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${actual}/mcp`,
    port: actual,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const names = ['die', 'echo', 'grow', 'odd', 'token', 'wait']

/** What the older servers do; `grown` are tools that were added. */
function olderServer(grown: string[], die: () => void, token: string | undefined): OlderServer {
  const server = new OlderServer(
    { name: 'older', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...names, ...grown].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const text = String(params.arguments?.text)
    const answer = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
    if (params.name === 'token') return answer(token ?? 'none')
    if (params.name === 'die') die()
    if (params.name === 'die' || params.name === 'wait') {
      const token = params._meta?.progressToken
      if (token !== undefined) {
        const progress = { progressToken: token, progress: 1, message: text }
        await extra.sendNotification({ method: 'notifications/progress', params: progress })
      }
      await new Promise<void>((resolve) => extra.signal.addEventListener('abort', () => resolve()))
    }
    if (params.name === 'grow') {
      grown.push(text)
      await server.sendToolListChanged()
    }
    if (params.name === 'odd') {
      const content = [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }]
      return { content, structuredContent: { a: [null] }, unknownField: 1, _meta: { own: 2 } } as never
    }
    return answer(text)
  })
  return server
}

/** Streamable HTTP with sessions. */
export async function streamableServer(port = 0): Promise<WebServer & { sessions(): number }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const grown: string[] = []
  const server = await listen(async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    if (id !== undefined && !known) return void response.writeHead(404).end('{}')
    if (known) return void known.handleRequest(request, response)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    })
    const older = olderServer(
      grown,
      () => setImmediate(() => void server.close()),
      request.headers.authorization,
    )
    // The transport's own type is not exact about optional properties.
    await older.connect(transport as Parameters<typeof older.connect>[0])
    await transport.handleRequest(request, response)
  }, port)
  return { ...server, sessions: () => sessions.size }
}

/** The older HTTP with server-sent events. */
export async function sseServer(port = 0): Promise<WebServer> {
  const transports = new Map<string, SSEServerTransport>()
  const grown: string[] = []
  const server = await listen(async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      const older = olderServer(
        grown,
        () => setImmediate(() => void server.close()),
        request.headers.authorization,
      )
      return void older.connect(transport)
    }
    if (request.url === '/mcp') return void response.writeHead(405).end()
    const id = new URL(request.url ?? '', 'http://x').searchParams.get('sessionId') ?? ''
    const transport = transports.get(id)
    if (!transport) return void response.writeHead(404).end()
    await transport.handlePostMessage(request, response)
  }, port)
  return server
}

/** Made without any library, without sessions; answers each call with `result`, as JSON or as a stream. The tool `cut` is cut off. */
export function plainWebServer(result: unknown, isStream: boolean): Promise<WebServer> {
  return listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    if (id === undefined) return void response.writeHead(202).end()
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'plain', version: '1' },
      },
      'tools/list': { tools: [{ name: 'any', inputSchema: { type: 'object' } }] },
      'tools/call': result,
    }
    const error = { code: -32601, message: 'Method not found' }
    const answer = method in results ? { result: results[method] } : { error }
    const message = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    if (params?.name === 'cut') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': at work\n\n')
      return void setImmediate(() => response.destroy())
    }
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? `event: message\ndata: ${message}\n\n` : message)
  })
}

/** Speaks the revision of 2026 only. */
export async function modernServer(): Promise<WebServer & { grow(name: string): void }> {
  const grown: string[] = []
  const handler = createMcpHandler(
    () => {
      const server = new Server(
        { name: 'modern', version: '1' },
        { capabilities: { tools: { listChanged: true } } },
      )
      server.setRequestHandler('tools/list', () => ({
        tools: ['ask', 'echo', 'wait', ...grown].map((name) => ({
          name,
          inputSchema: { type: 'object' as const },
        })),
      }))
      server.setRequestHandler('tools/call', async ({ params }, context) => {
        const answer = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
        if (params.name === 'wait') {
          await new Promise<void>((resolve) =>
            context.mcpReq.signal.addEventListener('abort', () => resolve()),
          )
          waits.push('cancelled')
        }
        if (params.name === 'ask') {
          const given = context.mcpReq.inputResponses?.color
          if (given) return answer(JSON.stringify(given))
          const requestedSchema = {
            type: 'object' as const,
            properties: { color: { type: 'string' as const } },
          }
          return inputRequired({
            inputRequests: { color: inputRequired.elicit({ message: 'Which color?', requestedSchema }) },
          })
        }
        return { ...answer(String(params.arguments?.text)), unknownField: 1 }
      })
      return server
    },
    { legacy: 'reject' },
  )
  const waits: string[] = []
  const server = await listen(async (request, response) => {
    const answer = await handler.fetch(await webRequest(request))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (!answer.body) return void response.end()
    const body = Readable.fromWeb(answer.body as WebStream)
    response.on('close', () => body.destroy())
    body.on('error', () => response.destroy())
    body.pipe(response)
  })
  return {
    ...server,
    grow(name) {
      grown.push(name)
      handler.notify.toolsChanged()
    },
  }
}

async function webRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const init: RequestInit = {
    method: request.method ?? 'GET',
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  }
  return new Request(
    `http://127.0.0.1${request.url}`,
    chunks.length > 0 ? { ...init, body: Buffer.concat(chunks) } : init,
  )
}
