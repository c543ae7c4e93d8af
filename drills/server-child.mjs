/** A server in a process of its own, on folders that outlast it. Always at the same port, with the first start's token. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiClient } from '../packages/shared/dist/index.js'

const program = fileURLToPath(new URL('../packages/server/test/support/server-process.mjs', import.meta.url))

export class ServerChild {
  /** The token of the first start; empty before. */
  token = ''
  /** True from the moment a start is complete until the kill. */
  isUp = false
  #child
  #waiting = []

  /** `nodeOptions`: how Node itself is called, such as to load more into the process. */
  static async create({ modelUrl, config, nodeOptions = [] }) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-drill-')))
    const child = new ServerChild(root, await freePort(), modelUrl, nodeOptions)
    mkdirSync(child.cwd)
    mkdirSync(child.home, { mode: 0o700 })
    writeFileSync(join(child.home, 'config.jsonc'), JSON.stringify(config), { mode: 0o600 })
    return child
  }

  constructor(root, port, modelUrl, nodeOptions) {
    this.root = root
    this.port = port
    this.cwd = join(root, 'workspace')
    this.home = join(root, 'state')
    this.modelUrl = modelUrl
    this.nodeOptions = nodeOptions
    this.client = createApiClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => this.token })
  }

  /** Starts it. `ready` resolves when it serves and has put right what was left; rejects when it ends before. */
  start() {
    const env = {
      PATH: process.env.PATH,
      HOME: this.root,
      DORKOS_HOME: this.home,
      TMPDIR: this.root,
      IS_SANDBOX: '1',
      ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
      DORKOS_ANTHROPIC_BASE_URL: this.modelUrl,
    }
    const argument = JSON.stringify({ cwd: this.cwd, port: this.port })
    const child = spawn(process.execPath, [...this.nodeOptions, program, argument], {
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    const ready = new Promise((resolve, reject) => {
      child.once('message', ({ error, token }) => {
        if (error !== undefined) return reject(new Error(error))
        this.token ||= token
        this.isUp = true
        for (const wake of this.#waiting.splice(0)) wake()
        resolve()
      })
      child.once('exit', () => reject(new Error('the server ended before it was ready')))
    })
    ready.catch(() => undefined)
    return { ready }
  }

  /** Sends a message to the process; resolves with its answer. */
  async ask(message) {
    this.#child.send(message)
    const [answer] = await once(this.#child, 'message')
    return answer
  }

  async kill() {
    this.isUp = false
    await this.#end('SIGKILL')
  }

  /** In good order; resolves with the exit code. */
  async stop() {
    this.isUp = false
    await this.#end('SIGTERM')
    return this.#child.exitCode
  }

  /** Resolves when the server is up. */
  async up() {
    if (!this.isUp) await new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Processes of this folder that are neither the server nor descend from it. */
  orphans() {
    const own = processesIn(this.root)
    const parents = new Map(own.map((pid) => [pid, parentOf(pid)]))
    const isOurs = (pid) => pid === this.#child.pid || (parents.has(pid) && isOurs(parents.get(pid)))
    return this.#child.exitCode === null && this.#child.signalCode === null
      ? own.filter((pid) => !isOurs(pid))
      : own
  }

  /** Ends the CLI of a session, if one runs, as a crash would. */
  killCli(sessionId) {
    for (const pid of processesIn(this.root))
      if (readProc(pid, 'cmdline').includes(sessionId)) endIfThere(pid)
  }

  async remove() {
    for (const pid of processesIn(this.root)) endIfThere(pid)
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  async #end(signal) {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
}

/** By their environment: all that a CLI starts inherits its home. */
function processesIn(home) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProc(pid, 'environ').split('\0').includes(`HOME=${home}`))
}

function parentOf(pid) {
  const stat = readProc(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

function endIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}

async function freePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
