/** An MCP server with one tool that says what it was told. */
import { createInterface } from 'node:readline'

const tool = {
  name: 'echo',
  description: 'Says what it was told',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
}
const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'soak', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { text } }) => ({ content: [{ type: 'text', text }] }),
  ping: () => ({}),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const result = results[method]?.(params)
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} })}\n`)
})
