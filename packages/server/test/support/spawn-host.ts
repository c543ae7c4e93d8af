/** A whole server in a process of its own, with the real CLI and a scripted model: for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApiClient, createApiClient } from '@dorkos/shared'
import { type Script, type ScriptedModel, startScriptedModel } from '@dorkos/testkit'

const program = fileURLToPath(new URL('./server-process.mjs', import.meta.url))

export interface SpawnedHost {
  readonly root: string
  readonly home: string
  readonly cwd: string
  readonly model: ScriptedModel
  /** With the first start's token, at the same port for ever. */
  readonly client: ApiClient
  readonly url: string
  readonly token: string
  readonly pid: number
  start(options?: { crashAt?: 'send' }): Promise<void>
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Resolves when the process has ended by itself. */
  died(): Promise<void>
  /** Every process that runs in this host's home, but for the server's own. */
  processes(): number[]
  /** Those of them that the server started: the CLIs. */
  clis(): number[]
  close(): Promise<void>
}

export async function spawnHost(
  script: Script,
  options: {
    config?: Record<string, unknown>
    /** Besides what every host has. */
    env?: Record<string, string>
    crashAt?: 'send'
    spareProcesses?: number
    /** How long a stop waits for turns that run. Absent: as long as the server does for people. */
    graceMs?: number
    /** The beginning of a command that runs the server. */
    within?: readonly string[]
  } = {},
): Promise<SpawnedHost> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dorkos-spawn-')))
  const cwd = join(root, 'workspace')
  const home = join(root, 'state')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  if (options.config)
    writeFileSync(join(home, 'config.jsonc'), JSON.stringify(options.config), { mode: 0o600 })
  const model = await startScriptedModel(script)
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    DORKOS_HOME: home,
    TMPDIR: root,
    IS_SANDBOX: '1',
    DORKOS_SPARE_PROCESSES: String(options.spareProcesses ?? 0),
    ANTHROPIC_API_KEY: 'sk-test-not-a-real-key',
    DORKOS_ANTHROPIC_BASE_URL: model.url,
    ...options.env,
  }
  let child: ChildProcess | undefined
  let started: { url: string; port: number; token: string } | undefined
  const running = () => {
    if (!child) throw new Error('the server does not run')
    return child
  }
  const ended = async () => {
    const process = running()
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
    return process.exitCode
  }
  const host: SpawnedHost = {
    root,
    home,
    cwd,
    model,
    get client() {
      return createApiClient({ baseUrl: host.url, token: host.token })
    },
    get url() {
      return started?.url ?? ''
    },
    get token() {
      return started?.token ?? ''
    },
    get pid() {
      return running().pid ?? 0
    },
    async start({ crashAt } = {}) {
      const argument = JSON.stringify({ cwd, port: started?.port ?? 0, graceMs: options.graceMs, crashAt })
      const [command = '', ...args] = [...(options.within ?? []), process.execPath, program, argument]
      child = spawn(command, args, {
        env,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const [answer] = await once(child, 'message')
      if (answer.error !== undefined) throw new Error(answer.error)
      started ??= answer
    },
    async kill() {
      running().kill('SIGKILL')
      await ended()
    },
    async stop() {
      running().kill('SIGTERM')
      return ended()
    },
    async died() {
      await ended()
    },
    processes: () => processesIn(root).filter((pid) => pid !== child?.pid),
    clis: () => host.processes().filter((pid) => parentOf(pid) === child?.pid),
    async close() {
      running().kill('SIGKILL')
      await ended()
      for (const pid of processesIn(root)) endIfThere(pid)
      await model.close()
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  await host.start(options.crashAt ? { crashAt: options.crashAt } : {})
  return host
}

/** By their environment: all that a CLI starts inherits its home. */
function processesIn(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`HOME=${home}`)
      } catch {
        return false
      }
    })
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
