/** How long does `dorkos serve` take until it answers, and what does it take while nothing happens? */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from './server-here.mjs'
import { rest } from './statistics.mjs'

const command = fileURLToPath(
  import.meta.resolve('@dorkos/cli/package.json').replace('package.json', 'bin/dorkos.mjs'),
)
const settleMs = 1500

/** @typedef {{ root: string }} Input */

/** @type {import('../question.mjs').Question} */
export const start = {
  name: 'start',
  rounds: 7,
  prepare,
  subjects: { ours, node },
  metrics: [
    {
      metric: 'server.start_after_node',
      unit: 'ms',
      ours: 'ours.after_node_ms',
      target: { most: 1000 },
    },
    { metric: 'server.start', unit: 'ms', ours: 'ours.ms', peer: 'node.ms' },
    {
      metric: 'server.idle_memory',
      unit: 'MB',
      ours: 'ours.idle_mb',
      floor: 'node.idle_mb',
      target: { most: 95 },
    },
  ],
}

/** The state folder of an earlier start. */
async function prepare() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'benchmark-start-')))
  await mkdir(join(root, 'workspace'))
  await serve(root)
  return { input: { root }, dispose: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) }
}

/** @param {Input} input */
async function ours({ root }) {
  const node = await startNode()
  const { ms, idle_mb } = await serve(root)
  return { ms, idle_mb, after_node_ms: ms - node.ms }
}

/** A program that does nothing. */
async function node() {
  return startNode()
}

/** From the start of the process to its first answer. @param {string} root */
async function serve(root) {
  const port = await freePort()
  // A process that is ready for somebody is the CLI's memory, and not what is asked for here.
  const env = { ...(await environment(root, {})), DORKOS_SPARE_PROCESSES: '0' }
  const begun = performance.now()
  const child = spawn(process.execPath, [command, 'serve', '--quiet', '--port', String(port)], {
    cwd: join(root, 'workspace'),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await rest(3)
  }
  const ms = performance.now() - begun
  await rest(settleMs)
  const idle_mb = await residentMb(child.pid)
  child.kill('SIGTERM')
  await exited
  return { ms, idle_mb }
}

/** Until its first line of code runs; it then stays, so that its memory can be read. */
async function startNode() {
  const code = "process.stdout.write('.'); setInterval(() => {}, 1000)"
  const begun = performance.now()
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  const ms = performance.now() - begun
  const idle_mb = await residentMb(child.pid)
  child.kill()
  await exited
  return { ms, idle_mb }
}

/** @param {number} port @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/api/health', agent: false })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('error', () => resolve(false))
  })
}

/** 0 where the system does not tell. @param {number | undefined} pid */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
