/**
 * An MCP server on standard input and output, without any library, that can be made to misbehave. The first argument is a JSON object:
 * `startDelayMs`, `hang`, `exitAtStart`, `banner`, `stderr`, `ignoreEnd`, `countFile`, `exitAfterConnectMs`, `capabilities`, `pageSize`, `deaf`,
 * `failFrom` (with `countFile`: from that start on it exits), `wordFile` (a file with a word that ends the descriptions of its tools).
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const options = JSON.parse(process.argv[2] ?? '{}')
if (options.countFile) appendFileSync(options.countFile, `${process.pid}\n`)
for (const line of options.stderr ?? []) console.error(line)
const starts = options.countFile ? readFileSync(options.countFile, 'utf8').trim().split('\n').length : 0
if (starts >= (options.failFrom ?? Number.POSITIVE_INFINITY)) process.exit(4)
if (options.exitAtStart !== undefined) process.exit(options.exitAtStart)
if (options.ignoreEnd) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
for (let line = 0; line < (options.banner ?? 0); line++) console.log(`starting, please wait ${line}`)

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const extra = []
let nextId = 1
const asked = new Map()
const running = new Map()

const schema = { type: 'object', properties: { text: { type: 'string' } } }
const names = [
  'ask',
  'crash',
  'echo',
  'env',
  'fail',
  'flood',
  'grow',
  'odd',
  'pid',
  'progress',
  'raw',
  'wait',
]
const word = () => (options.wordFile ? ` ${readFileSync(options.wordFile, 'utf8')}` : '')
const tools = () =>
  [...names, ...extra].map((name) => ({
    name,
    description: `does ${name}${word()}`,
    inputSchema: schema,
    'x-own': { kept: true },
  }))

const text = (value) => ({ content: [{ type: 'text', text: value }] })

const calls = {
  echo: (args) => text(String(args.text)),
  pid: () => text(String(process.pid)),
  env: (args) => text(process.env[args.name] ?? 'unset'),
  fail: () => ({ ...text('it did not work'), isError: true }),
  crash: () => process.kill(process.pid, args0(options.crashSignal)),
  grow: (args) => {
    extra.push(args.name)
    send({ method: 'notifications/tools/list_changed' })
    send({ method: 'notifications/tools/list_changed' })
    send({ method: 'notifications/resources/updated', params: { uri: 'test://a' } })
    return text('grown')
  },
  odd: () => ({
    content: [
      { type: 'text', text: 'a', extra: [1, { deep: null }] },
      { type: 'hologram', data: 'not in any protocol' },
      { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png', _meta: { own: 1 } },
    ],
    structuredContent: [1, 'two', { three: 3 }],
    resultType: 'complete',
    isError: false,
    _meta: { 'example.com/own': { a: 1 } },
    unknownField: { nested: [true, null] },
  }),
  raw: (args, id) => {
    process.stdout.write(`${args.line.replaceAll('ID', id)}\n`)
    return undefined
  },
  flood: () => {
    const line = `${'x'.repeat(200)}\n`.repeat(100)
    const more = () => process.stdout.write(line, more)
    more()
    return undefined
  },
}

function args0(signal) {
  return signal ?? 'SIGKILL'
}

async function callTool(id, params) {
  const { name, arguments: args = {}, _meta } = params
  const aborted = new AbortController()
  running.set(id, aborted)
  if (name === 'wait') {
    const timer = setTimeout(() => send({ id, result: text(`waited for ${args.text}`) }), args.ms)
    aborted.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      console.error(`cancelled ${args.text}`)
    })
    return
  }
  if (name === 'progress') {
    for (let step = 1; step <= args.steps; step++) {
      await new Promise((resolve) => setTimeout(resolve, args.ms))
      if (_meta?.progressToken === undefined) continue
      const progress = {
        progressToken: _meta.progressToken,
        progress: step,
        total: args.steps,
        message: args.text,
      }
      send({ method: 'notifications/progress', params: progress })
    }
    return send({ id, result: text(`did ${args.text}`) })
  }
  if (name === 'ask') {
    const question = `ask-${nextId++}`
    asked.set(question, (answer) => send({ id, result: text(JSON.stringify(answer)) }))
    const params = args.params ?? {
      message: `What of ${args.text}?`,
      requestedSchema: { type: 'object', properties: { color: { type: 'string' } } },
    }
    return send({ id: question, method: 'elicitation/create', params })
  }
  const call = calls[name]
  if (!call) {
    if (extra.includes(name)) return send({ id, result: text(name) })
    return send({
      id,
      error: { code: -32602, message: `no tool ${name} ${process.env.API_TOKEN ?? ''}`, data: { own: 1 } },
    })
  }
  const result = call(args, id)
  if (result !== undefined) send({ id, result })
}

function page(all, field, cursor) {
  const size = options.pageSize ?? all.length
  const start = Number(cursor ?? 0)
  const end = start + size
  return { [field]: all.slice(start, end), ...(end < all.length ? { nextCursor: String(end) } : {}) }
}

async function handle(message) {
  const { id, method, params = {} } = message
  if (method === undefined) {
    asked.get(id)?.(message.result ?? message.error)
    asked.delete(id)
    return
  }
  if (method === 'notifications/cancelled') return running.get(params.requestId)?.abort()
  if (id === undefined) return
  if (method === 'initialize') {
    if (options.hang) return
    if (options.startDelayMs) await new Promise((resolve) => setTimeout(resolve, options.startDelayMs))
    const capabilities = options.capabilities ?? {
      tools: { listChanged: true },
      resources: { subscribe: true },
    }
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities,
        serverInfo: { name: 'plain', version: '1' },
        instructions: JSON.stringify(params.capabilities),
      },
    })
    if (options.exitAfterConnectMs !== undefined)
      setTimeout(() => process.exit(3), options.exitAfterConnectMs)
    if (options.deaf) process.stdin.pause()
    return
  }
  if (method === 'ping') return send({ id, result: {} })
  if (method === 'tools/list') return send({ id, result: page(tools(), 'tools', params.cursor) })
  if (method === 'resources/list')
    return send({ id, result: { resources: [{ uri: 'test://a', name: 'a' }] } })
  if (method === 'tools/call') return callTool(id, params)
  send({ id, error: { code: -32601, message: 'Method not found' } })
}

const input = createInterface({ input: process.stdin })
input.on('line', (line) => void handle(JSON.parse(line)))
if (!options.ignoreEnd) input.on('close', () => process.exit(0))
