/**
 * An MCP server without any library, made to order by the JSON object that is its first argument:
 * `tools` (names; `['hello']` unless given), `toolsFile` (a JSON file with descriptions by name, read for each list; `#instructions` are the server's own), `gate` (a file that
 * must be there before it answers), `hang`, `exit` (a code, at once), `stderr` (lines), `flood` (of lines that are no messages),
 * `starts` (a file that gets its process id), `hints` (annotations of every tool), `schemaChars` (how long the schema of every tool is), `result` (a JSON file with what the tool `given` returns).
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const options = JSON.parse(process.argv[2] ?? '{}')
if (options.starts) appendFileSync(options.starts, `${process.pid}\n`)
for (const line of options.stderr ?? [])
  console.error(line.replaceAll(/\$([A-Z_]+)/g, (_, name) => process.env[name] ?? ''))
if (options.exit !== undefined) process.exit(options.exit)
if (options.flood) flood()

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const asked = new Map()

/** What `remember` was given, for as long as the process lives. */
let remembered = null

/** Any other tool says who runs it, and where. */
const calls = {
  remember: ({ word }) => {
    remembered = word
    return { pid: process.pid }
  },
  recall: () => ({ word: remembered, pid: process.pid }),
  env: ({ name }) => ({ value: process.env[name] ?? null }),
  crash: () => process.exit(9),
  leak: () => {
    throw new Error(`refused for ${process.env.TOKEN}`)
  },
}

/** Results that are not JSON in a text. */
const results = {
  given: () => JSON.parse(readFileSync(options.result, 'utf8')),
  large: () => ({ content: [{ type: 'text', text: 'x'.repeat(200_000) }] }),
  picture: () => ({
    content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(50_000) }],
    structuredContent: { width: 1 },
  }),
}

function flood() {
  const lines = `${'x'.repeat(500)}\n`.repeat(200)
  const more = () => process.stdout.write(lines, () => setImmediate(more))
  more()
}

const instructionsName = '#instructions'
const inFile = () => JSON.parse(readFileSync(options.toolsFile, 'utf8'))

function tools() {
  const described = options.toolsFile
    ? Object.entries(inFile()).filter(([name]) => name !== instructionsName)
    : (options.tools ?? ['hello']).map((name) => [name, `does ${name}`])
  const properties = options.schemaChars && {
    properties: { words: { type: 'string', description: 'word '.repeat(options.schemaChars / 5) } },
  }
  const inputSchema = { type: 'object', ...properties }
  const about = { inputSchema, ...(options.hints && { annotations: options.hints }) }
  return described.map(([name, description]) => ({ name, description, ...about }))
}

function call(id, { name, arguments: args = {} }) {
  if (name === 'ask') {
    asked.set(`ask-${id}`, (answer) => send({ id, result: text({ answer, pid: process.pid }) }))
    const color = { type: 'string', title: 'Color' }
    const requestedSchema = { type: 'object', properties: { color }, required: ['color'] }
    const params = { message: 'Which color?', requestedSchema }
    return send({ id: `ask-${id}`, method: 'elicitation/create', params })
  }
  if (name === 'never') return
  if (name in results) return send({ id, result: results[name]() })
  try {
    const result = calls[name]?.(args) ?? { tool: name, pid: process.pid, cwd: process.cwd() }
    send({ id, result: text(result) })
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } })
  }
}

async function opened() {
  while (options.gate && !existsSync(options.gate)) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function answer({ id, method, params = {}, result, error }) {
  if (method === undefined) {
    asked.get(id)?.(result ?? error)
    asked.delete(id)
  } else if (id === undefined || options.hang || options.flood) return
  else if (method === 'initialize') {
    await opened()
    const serverInfo = { name: 'scripted', version: '1.0.0' }
    const capabilities = { tools: { listChanged: true } }
    const instructions = options.toolsFile ? inFile()[instructionsName] : undefined
    const { protocolVersion } = params
    send({ id, result: { protocolVersion, capabilities, serverInfo, instructions } })
  } else if (method === 'tools/list') send({ id, result: { tools: tools() } })
  else if (method === 'tools/call') call(id, params)
  else if (method === 'ping') send({ id, result: {} })
  else send({ id, error: { code: -32601, message: 'Method not found' } })
}

const input = createInterface({ input: process.stdin })
input.on('line', (line) => void answer(JSON.parse(line)))
input.on('close', () => process.exit(0))
