/** What does a call of an in-process tool cost, and how many can be served a second? */
import { startBare } from './bare-cli.mjs'
import { cpuTime, peakMemory } from './resources.mjs'

const warmUpCalls = 3000
const calls = 15_000

/** @typedef {{ cli: string }} Input */

/** @param {number} inFlight @returns {import('../question.mjs').Question} */
export function toolCalls(inFlight) {
  const suffix = inFlight === 1 ? '' : `_${inFlight}_in_flight`
  /** @param {string} value @param {string} [ours] */
  const paths = (value, ours = 'ours') => ({
    ours: `${ours}.${value}`,
    peer: `official.${value}`,
    floor: `floor.${value}`,
  })
  const cpu = { unit: 'us', target: { most: 0.5 } }
  return {
    name: `tool calls, ${inFlight} in flight`,
    rounds: 5,
    oneCore: inFlight === 1,
    prepare: () => prepare(inFlight),
    subjects: { ours, official, floor, ours_simple: oursSimple },
    metrics: [
      { metric: `sdk.cpu_per_tool_call${suffix}`, ...cpu, ...paths('cpu_us') },
      { metric: `sdk.cpu_per_tool_call${suffix}_simple_map`, ...cpu, ...paths('cpu_us', 'ours_simple') },
      ...(inFlight === 1
        ? []
        : [
            {
              metric: `sdk.tool_calls_per_second${suffix}`,
              unit: '1/s',
              ...paths('per_second'),
              target: { least: 3 },
            },
            {
              metric: 'sdk.peak_memory_tool_calls',
              unit: 'MB',
              ...paths('peak_mb'),
              target: { most: 0.65 },
            },
          ]),
    ],
  }
}

/** @param {number} inFlight */
async function prepare(inFlight) {
  const { fakeCli, steps } = await import('@dorkos/testkit')
  const call = { server: 'calc', name: 'add', args: { a: 2, b: 3 }, repeat: warmUpCalls + calls, inFlight }
  const cli = fakeCli([steps.tool(call)], { logStdin: false })
  return { input: { cli: cli.path }, dispose: () => cli.dispose() }
}

/** @param {Input} input */
async function ours(input) {
  return serve(await import('claude-code-agent'), input)
}

/** @param {Input} input */
async function official(input) {
  return serve(await import('@anthropic-ai/claude-agent-sdk'), input)
}

/** The same tool with the same Zod shape, in a program that differs by its import alone. */
async function serve(/** @type {any} */ { tool, createSdkMcpServer, query }, /** @type {Input} */ { cli }) {
  const { z } = await import('zod')
  const meter = createMeter()
  const add = tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, async ({ a, b }) => {
    meter.call()
    return { content: [{ type: 'text', text: String(a + b) }] }
  })
  const server = createSdkMcpServer({ name: 'calc', version: '1.0.0', tools: [add] })
  return run(query, server, cli, meter)
}

/** The shortest way to write it with ours: no Zod, and a plain function. @param {Input} input */
async function oursSimple({ cli }) {
  const { tool, createSdkMcpServer, query } = await import('claude-code-agent')
  const meter = createMeter()
  const add = tool({
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: { a: 'number', b: 'number' },
    handler: ({ a, b }) => {
      meter.call()
      return String(a + b)
    },
  })
  return run(query, createSdkMcpServer({ name: 'calc', tools: [add] }), cli, meter)
}

/** @param {any} query @param {any} server @param {string} cliPath @param {Meter} meter */
async function run(query, server, cliPath, meter) {
  const options = {
    pathToClaudeCodeExecutable: cliPath,
    env: process.env,
    settingSources: [],
    mcpServers: { calc: server },
  }
  for await (const _ of query({ prompt: 'go', options }));
  return meter.read()
}

/** Answers every call with the same sum. @param {Input} input */
async function floor({ cli }) {
  const meter = createMeter()
  const bare = await startBare({ cliPath: cli }, (message) => {
    if (message.type !== 'control_request') return
    const { id, params } = message.request.message
    meter.call()
    const text = String(params.arguments.a + params.arguments.b)
    const result = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }
    bare.send({
      type: 'control_response',
      response: {
        subtype: 'success',
        request_id: message.request_id,
        response: { mcp_response: result },
      },
    })
  })
  bare.initialize({ sdkMcpServers: ['calc'], sdkMcpServerManifests: { calc: manifest } })
  bare.say('go')
  await bare.next('result')
  await bare.end()
  return meter.read()
}

const manifest = {
  initializeResult: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'calc', version: '1.0.0' },
  },
  toolsListResult: {
    tools: [{ name: 'add', description: 'Adds two numbers', inputSchema: { type: 'object' } }],
  },
}

/** @typedef {ReturnType<typeof createMeter>} Meter */

/** Measures from the last call of the warm-up to the last call of all, so that start and end do not count. */
function createMeter() {
  let seen = 0
  let start = { cpu: 0, at: 0 }
  let end = { cpu: 0, at: 0 }
  return {
    call: () => {
      seen++
      if (seen === warmUpCalls) start = { cpu: cpuTime(), at: performance.now() }
      else if (seen === warmUpCalls + calls) end = { cpu: cpuTime(), at: performance.now() }
    },
    read: () => {
      if (seen !== warmUpCalls + calls) throw new Error(`${seen} of ${warmUpCalls + calls} calls were made`)
      return {
        cpu_us: (end.cpu - start.cpu) / calls,
        per_second: (calls / (end.at - start.at)) * 1000,
        peak_mb: peakMemory(),
      }
    },
  }
}
