/** A transport on a small script instead of the CLI, and what it received. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SubprocessOptions, SubprocessTransport } from '../../src/transport/subprocess.ts'
import type { TransportExit, TransportFault } from '../../src/transport/transport.ts'

export interface ScriptProcess {
  transport: SubprocessTransport
  messages: Array<Record<string, unknown>>
  faults: TransportFault[]
  stderr: string[]
  exits: TransportExit[]
  exited: Promise<TransportExit>
}

/** Everything that was started and made in a test; `clean()` ends and removes it. */
export class Scene {
  readonly dir = mkdtempSync(join(tmpdir(), 'transport-test-'))
  readonly #transports: SubprocessTransport[] = []
  readonly #pids: number[] = []
  #scripts = 0

  writeScript(code: string): string {
    const path = join(this.dir, `script-${this.#scripts++}.mjs`)
    writeFileSync(path, code)
    return path
  }

  /** A process id to be ended after the test, whatever happens. */
  track(pid: number): number {
    this.#pids.push(pid)
    return pid
  }

  prepare(code: string, options: Partial<SubprocessOptions> = {}): SubprocessTransport {
    const transport = new SubprocessTransport({
      cliPath: this.writeScript(code),
      args: [],
      env: { PATH: process.env.PATH ?? '' },
      registryDir: join(this.dir, 'registry'),
      ...options,
    })
    this.#transports.push(transport)
    return transport
  }

  async start(code: string, options: Partial<SubprocessOptions> = {}): Promise<ScriptProcess> {
    const transport = this.prepare(code, options)
    const started: Omit<ScriptProcess, 'exited'> = {
      transport,
      messages: [],
      faults: [],
      stderr: [],
      exits: [],
    }
    let onExit: (exit: TransportExit) => void = () => {}
    const exited = new Promise<TransportExit>((resolve) => {
      onExit = resolve
    })
    await transport.connect({
      message: (message) => started.messages.push(message),
      fault: (fault) => started.faults.push(fault),
      stderr: (line) => started.stderr.push(line),
      exit: (exit) => {
        started.exits.push(exit)
        onExit(exit)
      },
    })
    return { ...started, exited }
  }

  async clean(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.terminate({ graceMs: 0, killMs: 0 })))
    for (const pid of this.#pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended, as it should.
      }
    }
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Polls until `condition` gives something; fails with `what` after a bounded time. */
export async function eventually<T>(
  what: string,
  condition: () => T | undefined | false,
  ms = 10_000,
): Promise<T> {
  for (let waited = 0; waited < ms; waited += 20) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    await sleep(20)
  }
  throw new Error(`not within ${ms} ms: ${what}`)
}
