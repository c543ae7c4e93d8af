/** The CLI as a subprocess of this program. */
import { randomUUID } from 'node:crypto'
import { finished } from 'node:stream'
import { CLIConnectionError } from '../errors.ts'
import { checkCliVersion } from './check-version.ts'
import { cliCommand, findCli } from './find-cli.ts'
import { JsonLineReader } from './json-lines.ts'
import { LineWriter } from './line-writer.ts'
import { parentDeathLauncher } from './parent-death.ts'
import { ProcessGroup } from './process-group.ts'
import { markerVariable } from './process-registry.ts'
import {
  checkWorkingDirectory,
  type SpawnedProcess,
  type SpawnProcess,
  spawnLocal,
} from './spawned-process.ts'
import { StderrTail } from './stderr-tail.ts'
import type { SubprocessOptions } from './subprocess-options.ts'
import { endGroup, terminateProcess } from './terminate.ts'
import { tieToProgram } from './tie-to-program.ts'

export type { SpawnedProcess, SpawnProcess, SpawnRequest } from './spawned-process.ts'

import type { TerminateOptions, Transport, TransportExit, TransportReceiver } from './transport.ts'

/** After the process has ended, how long its stdout may stay silent before it counts as ended too. */
const drainMs = 500
/** Something outside of the group holds stdout open and goes on writing: how many such times are waited. */
const drainRounds = 4

export class SubprocessTransport implements Transport {
  readonly #options: SubprocessOptions
  readonly #abort = new AbortController()
  readonly #stderr: StderrTail
  #receiver: TransportReceiver | undefined
  #reader: JsonLineReader | undefined
  #writer: LineWriter | undefined
  #child: SpawnedProcess | undefined
  #group: ProcessGroup | undefined
  #paused = false
  #detached = false
  #bytesRead = 0
  #ended: { exitCode: number | null; signal: NodeJS.Signals | null } | undefined
  #sweep: Promise<unknown> | undefined
  #termination: Promise<TransportExit> | undefined
  /** Undoes what ties the process to this program: the record and the exit guard. */
  #release: () => void = () => {}
  #onProcessExit: () => void = () => {}
  #onFinished: (exit: TransportExit) => void = () => {}
  readonly #processExited = new Promise<void>((resolve) => {
    this.#onProcessExit = resolve
  })
  readonly #finished = new Promise<TransportExit>((resolve) => {
    this.#onFinished = resolve
  })

  constructor(options: SubprocessOptions) {
    this.#options = options
    this.#stderr = new StderrTail((line) => {
      options.stderr?.(line)
      this.#receiver?.stderr?.(line)
    })
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  async connect(receiver: TransportReceiver): Promise<void> {
    if (this.#receiver) throw new CLIConnectionError('connect() was called twice')
    this.#receiver = receiver
    this.#reader = new JsonLineReader({
      maxLineBytes: this.#options.maxLineBytes,
      onMessage: (message) => receiver.message(message),
      onFault: (fault) => receiver.fault(fault),
    })
    if (this.#options.spawn) this.#startCustom(this.#options.spawn)
    else await this.#startLocal()
  }

  write(line: string): Promise<void> {
    if (this.#writer) return this.#writer.write(line)
    return Promise.reject(new CLIConnectionError('it is not connected'))
  }

  async endInput(): Promise<void> {
    await this.#writer?.end()
  }

  /** What was already read (one chunk at most) is still pushed. */
  pauseReading(): void {
    if (this.#termination || this.#detached) return
    this.#paused = true
    this.#child?.stdout.pause()
  }

  resumeReading(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#child?.stdout.resume()
    if (this.#ended) this.#drain(0)
  }

  async detach(): Promise<void> {
    if (this.#detached || this.#ended || !this.#child) return
    this.#detached = true
    this.#reader?.stop()
    this.#release()
    // Its output is thrown away, not left unread: a full pipe would stop it.
    this.resumeReading()
    void this.#writer?.end()
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr])
      unref(handle)
  }

  terminate(options?: TerminateOptions): Promise<TransportExit> {
    this.#termination ??= this.#terminate(options)
    return this.#termination
  }

  async #terminate(options: TerminateOptions = {}): Promise<TransportExit> {
    const child = this.#child
    if (!child) return { exitCode: null, signal: null, stderrTail: '' }
    // Whoever paused may have gone; what is left is still pushed, and an unread pipe would stop the process.
    this.resumeReading()
    const ended = await terminateProcess(
      {
        endInput: () => void this.#writer?.end(),
        signal: (signal) => this.#signal(child, signal),
        exited: this.#processExited,
      },
      options,
    )
    if (!ended) this.#processEnded(null, 'SIGKILL')
    const exit = await this.#finished
    await this.#sweep
    return exit
  }

  async #startLocal(): Promise<void> {
    const { cliPath, executable, cwd, args, env } = this.#options
    const searchEnv = { ...process.env, ...env }
    const { path } = findCli({ cliPath, env: searchEnv })
    if (cwd !== undefined) await checkWorkingDirectory(cwd)
    const launcher = this.#options.endWithParent === false ? [] : await parentDeathLauncher()
    // With a launcher before it, a missing runner would only show as a failed process.
    const runner = executable && findCli({ cliPath: executable, env: searchEnv }).path
    const cli = cliCommand(path, runner)
    const [command, ...before] = [...launcher, cli.command, ...cli.args]
    if (this.#termination || command === undefined) throw new CLIConnectionError('it was terminated')
    const marker = randomUUID()
    // Asked while the process starts, not before: that costs a start of its own.
    const version = this.#options.checkVersion === false ? undefined : checkCliVersion(path, env)
    version?.catch(() => {})
    const child = await spawnLocal({
      program: path,
      command,
      args: [...before, ...args],
      cwd,
      env: { ...env, [markerVariable]: marker },
    })
    if (child.pid !== undefined) {
      this.#group = new ProcessGroup(child.pid)
      this.#release = tieToProgram(this.#group, marker, this.#options.registryDir)
    }
    this.#attach(child)
    try {
      await version
    } catch (error) {
      this.#receiver = undefined
      this.#reader?.stop()
      await this.terminate({ graceMs: 0 })
      throw error
    }
    if (this.#termination) throw new CLIConnectionError('it was terminated')
  }

  #startCustom(spawn: SpawnProcess): void {
    const { cliPath, executable, cwd, args, env } = this.#options
    const cli = cliCommand(cliPath ?? 'claude', executable)
    const request = {
      command: cli.command,
      args: [...cli.args, ...args],
      cwd,
      env,
      signal: this.#abort.signal,
    }
    const child = spawn(request)
    child.on('error', (error) => {
      this.#stderr.push(Buffer.from(`${error.message}\n`))
      this.#processEnded(null, null)
    })
    this.#attach(child)
  }

  #attach(child: SpawnedProcess): void {
    this.#child = child
    this.#writer = new LineWriter(child.stdin)
    const { stdout, stderr } = child
    stdout.on('data', (chunk: Buffer) => {
      this.#bytesRead += chunk.length
      this.#reader?.push(chunk)
    })
    // When the process ends, Node resumes its streams by itself.
    stdout.on('resume', () => {
      if (this.#paused) stdout.pause()
    })
    if (this.#paused) stdout.pause()
    stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    const streams = [stdout, ...(stderr ? [stderr] : [])].map(
      (stream) => new Promise<void>((resolve) => finished(stream, { writable: false }, () => resolve())),
    )
    child.on('exit', (code, signal) => this.#processEnded(code, signal))
    void Promise.all([this.#processExited, ...streams]).then(() => this.#finish())
  }

  #signal(child: SpawnedProcess, signal: NodeJS.Signals): void {
    if (this.#group) {
      this.#group.signal(signal)
      return
    }
    this.#abort.abort()
    child.kill(signal)
  }

  #processEnded(exitCode: number | null, signal: NodeJS.Signals | null): void {
    if (this.#ended) return
    this.#ended = { exitCode, signal }
    this.#writer?.close('the process has ended')
    this.#onProcessExit()
    if (this.#detached) return
    if (this.#group) this.#sweep = endGroup(this.#group).then(() => this.#release())
    this.#drain(0)
  }

  /** What the process started may hold its stdout open for ever. */
  #drain(round: number): void {
    const before = this.#bytesRead
    setTimeout(() => {
      // A busy program may be late: let it read what is there before judging.
      setImmediate(() => {
        if (this.#paused || !this.#reader) return
        if (this.#bytesRead === before || round >= drainRounds) this.#finish()
        else this.#drain(round + 1)
      })
    }, drainMs)
  }

  #finish(): void {
    const reader = this.#reader
    if (!reader || !this.#ended) return
    this.#reader = undefined
    reader.end()
    this.#stderr.end()
    this.#child?.stdout.destroy()
    this.#child?.stderr?.destroy()
    const exit = { ...this.#ended, stderrTail: this.#stderr.tail }
    this.#onFinished(exit)
    if (!this.#detached) this.#receiver?.exit(exit)
  }
}

function unref(handle: unknown): void {
  const candidate = handle as { unref?: () => void } | null | undefined
  candidate?.unref?.()
}
