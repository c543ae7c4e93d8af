// An external MCP server whose tool `ask` asks the person for a name, and returns the answer as JSON.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

const server = new McpServer({ name: 'asking', version: '1.0.0' })
const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
server.registerTool('ask', { description: 'Asks for a name', inputSchema: {} }, async () => {
  const answer = await server.server.elicitInput({ message: 'Your name?', requestedSchema })
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
})
await server.connect(new StdioServerTransport())
