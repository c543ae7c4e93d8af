// A tiny external MCP server: `greet` answers, `sum` adds up.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const server = new McpServer({ name: 'greeter', version: '1.0.0' })
server.registerTool(
  'greet',
  { description: 'Greets somebody', inputSchema: { name: z.string() } },
  async ({ name }) => ({ content: [{ type: 'text', text: `${process.env.GREETING ?? 'Hello'}, ${name}` }] }),
)
await server.connect(new StdioServerTransport())
