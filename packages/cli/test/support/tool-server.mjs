/**
 * An MCP server on standard input and output, without any library. Its first argument names a JSON file that says what it offers and
 * writes: `tools`, `stderr` (lines), `instructions`, `exit` (a code: it ends at once).
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const script = () => JSON.parse(readFileSync(process.argv[2], 'utf8'))
const send = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)

for (const line of script().stderr ?? []) console.error(line)
if (script().exit !== undefined) process.exit(script().exit)

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tool-server', version: '1.2.3' },
    ...(script().instructions !== undefined && { instructions: script().instructions }),
  }),
  'tools/list': () => ({
    tools: (script().tools ?? []).map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
  }),
  ping: () => ({}),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const answer = answers[method]
  if (id !== undefined && answer) send(id, answer(params ?? {}))
}
