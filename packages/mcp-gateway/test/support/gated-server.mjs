/**
 * An MCP server that answers nothing until the file of its first argument is there, as one that is slow to start. Its second argument, where
 * given, is a JSON object with more for each of its lists: `tools`, `instructions`.
 */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [gate, given] = process.argv.slice(2)
const extra = JSON.parse(given ?? '{}')
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
const tools = [{ name: 'say.it', description: 'Says it', inputSchema }, ...(extra.tools ?? [])]

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'gated', version: '1' },
    instructions: extra.instructions,
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: `${name} says ${args.text}` }],
  }),
  'resources/list': () => ({ resources: [{ uri: 'gated://note', name: 'note' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'a note from behind the gate' }],
  }),
}

const opened = new Promise((resolve) => {
  const poll = setInterval(() => {
    if (!existsSync(gate)) return
    clearInterval(poll)
    resolve()
  }, 20)
})

const input = createInterface({ input: process.stdin })
input.on('close', () => process.exit(0))
input.on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) return
  await opened
  const result = results[method]?.(params)
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
})
