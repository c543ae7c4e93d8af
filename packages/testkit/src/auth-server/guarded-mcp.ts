/** An MCP server behind streamable HTTP, without sessions, with the one tool `whoami`; it answers nobody without a token. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { readBody, sendJson } from './loopback-server.ts'

export interface GuardedMcpOptions {
  isValid(token: string): boolean
  /** Beside `/mcp`: the document that says who the authorization server is. */
  resourceMetadata(): unknown
  challenge(): string
}

export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp'

export function guardedMcp(options: GuardedMcpOptions): RequestListener {
  return async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    if (path === resourceMetadataPath) return sendJson(response, 200, options.resourceMetadata())
    if (path !== '/mcp') return void response.writeHead(404).end()
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined || !options.isValid(token)) {
      const headers = { 'www-authenticate': options.challenge() }
      return sendJson(response, 401, { error: 'invalid_token' }, headers)
    }
    await answer(request, response)
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const { id, method, params } = JSON.parse(await readBody(request)) as {
    id?: unknown
    method: string
    params?: { protocolVersion?: unknown; name?: unknown }
  }
  if (id === undefined) return void response.writeHead(202).end()
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    ping: {},
    'tools/list': {
      tools: [{ name: 'whoami', description: 'Says who is signed in.', inputSchema: { type: 'object' } }],
    },
    'tools/call': { content: [{ type: 'text', text: 'You are signed in as Ada.' }] },
  }
  const error = { code: -32601, message: 'Method not found' }
  sendJson(response, 200, {
    jsonrpc: '2.0',
    id,
    ...(method in results ? { result: results[method] } : { error }),
  })
}
