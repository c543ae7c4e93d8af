/** An MCP server with one tool, which says who it is and how it was started: `from_<name>`, arguments in its description. */
import { createInterface } from 'node:readline'

const [name, ...args] = process.argv.slice(2)
const { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data } = process.env
const description = JSON.stringify({ args, root, data })

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })}\n`)
})

function answer(method, params) {
  if (method === 'initialize') {
    const serverInfo = { name, version: '1.0.0' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list') {
    return { tools: [{ name: `from_${name}`, description, inputSchema: { type: 'object' } }] }
  }
  return {}
}
