/** How long does a program wait for the import, and does it load what it may never need? */
import { cpuTime } from './resources.mjs'

/** @type {import('../question.mjs').Question} */
export const importTime = {
  name: 'import',
  rounds: 21,
  prepare: async () => ({ input: {}, dispose: async () => {} }),
  subjects: {
    ours: () => timed(() => import('claude-code-agent')),
    official: () => timed(() => import('@anthropic-ai/claude-agent-sdk')),
    floor: () => timed(() => import('data:text/javascript,')),
    ours_traced: traced,
  },
  metrics: [
    {
      metric: 'sdk.import_time',
      unit: 'ms',
      ours: 'ours.ms',
      peer: 'official.ms',
      floor: 'floor.ms',
      target: { most: 0.35 },
    },
    {
      metric: 'sdk.import_cpu',
      unit: 'ms',
      ours: 'ours.cpu_ms',
      peer: 'official.cpu_ms',
      floor: 'floor.cpu_ms',
      target: { most: 0.35 },
    },
    {
      metric: 'sdk.import_foreign_modules',
      unit: 'modules',
      ours: 'ours_traced.foreign_modules',
      target: { most: 0 },
    },
  ],
}

/** @param {() => Promise<unknown>} load */
async function timed(load) {
  const before = cpuTime()
  const start = performance.now()
  await load()
  const ms = performance.now() - start
  return { ms, cpu_ms: (cpuTime() - before) / 1000 }
}

/** Counts what comes from other packages: Zod, an MCP package and a schema validator would be among them. */
async function traced() {
  const { createRequire, register } = await import('node:module')
  const { MessageChannel, receiveMessageOnPort } = await import('node:worker_threads')
  const { port1, port2 } = new MessageChannel()
  register('./module-trace.mjs', import.meta.url, { data: { port: port2 }, transferList: [port2] })
  await import('claude-code-agent')
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
    loaded.push(next.message)
  if (!loaded.some((name) => name.endsWith('/claude-code-agent/dist/index.js')))
    throw new Error('the trace did not see the import itself')
  const foreign = loaded.filter((name) => name.includes('/node_modules/'))
  for (const name of foreign) process.stderr.write(`loaded by the import: ${name}\n`)
  return { foreign_modules: foreign.length }
}
