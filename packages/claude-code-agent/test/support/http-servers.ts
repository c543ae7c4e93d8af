/** A real MCP server on loopback over both HTTP transports: streamable HTTP at /mcp, and SSE at /sse. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

export interface HttpServers extends AsyncDisposable {
  url: string
  /** The `authorization` header of every request, by path. */
  authorized: Map<string, string | undefined>
}

export async function startHttpServers(): Promise<HttpServers> {
  const authorized = new Map<string, string | undefined>()
  const streams = new Map<string, SSEServerTransport>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    authorized.set(pathname, request.headers.authorization)
    if (pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      streams.set(transport.sessionId, transport)
      await greeter('sse').connect(transport)
    } else if (pathname === '/messages') {
      await streams.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response)
    } else if (request.method === 'POST') {
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
      await greeter('http').connect(transport as Parameters<McpServer['connect']>[0])
      await transport.handleRequest(request, response, await bodyOf(request))
    } else response.writeHead(405).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorized,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function greeter(name: string): McpServer {
  const server = new McpServer({ name, version: '1.0.0' })
  server.registerTool('greet', { description: 'Greets' }, async () => ({
    content: [{ type: 'text', text: `hello over ${name}` }],
  }))
  return server
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
