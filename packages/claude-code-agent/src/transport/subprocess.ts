/** The CLI as a subprocess of this program. */
import { finished } from 'node:stream'
import { JsonLineReader, type ProcessGroup, resolvesWithin, StderrTail, terminate } from '@dorkos/processes'
import { CLIConnectionError } from '../errors.ts'
import { cliCommand } from './find-cli.ts'
import { LineWriter } from './line-writer.ts'
import type { SpawnedProcess, SpawnProcess } from './spawned-process.ts'
import type { SubprocessOptions } from './subprocess-options.ts'
import type { TerminateOptions, Transport, TransportExit, TransportReceiver } from './transport.ts'

export type { SpawnedProcess, SpawnProcess, SpawnRequest } from './spawned-process.ts'
export type { SubprocessOptions } from './subprocess-options.ts'

/** After the end of its input, how long the process may take to end by itself. */
const defaultGraceMs = 2000
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
  /** The connection failed: whoever asked for it knows by that, and is not notified of the process's end. */
  #failed = false
  #connecting: Promise<void> | undefined
  #bytesRead = 0
  #ended: { exitCode: number | null; signal: NodeJS.Signals | null } | undefined
  #sweep: Promise<unknown> | undefined
  #termination: Promise<TransportExit> | undefined
  #drainTimer: NodeJS.Timeout | undefined
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
    this.#connecting = this.#options.spawn ? this.#startCustom(this.#options.spawn) : this.#startLocal()
    await this.#connecting
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
    const { stdin, stdout, stderr } = this.#child
    for (const handle of [this.#child, stdin, stdout, stderr]) unref(handle)
  }

  keepProgramRunning(keep: boolean): void {
    const { stdin, stdout, stderr } = this.#child ?? {}
    for (const handle of [this.#child, stdin, stdout, stderr]) keep ? ref(handle) : unref(handle)
  }

  terminate(options?: TerminateOptions): Promise<TransportExit> {
    this.#termination ??= this.#terminate(options)
    return this.#termination
  }

  async #terminate(options: TerminateOptions = {}): Promise<TransportExit> {
    // A start that is under way gives up or hands over its process soon.
    if (!this.#child) await this.#connecting?.catch(() => {})
    const child = this.#child
    if (!child) return { exitCode: null, signal: null, stderrTail: '' }
    this.keepProgramRunning(true)
    // Whoever paused may have gone; what is left is still pushed, and an unread pipe would stop the process.
    this.resumeReading()
    void this.#writer?.end()
    const ended = await terminate(
      {
        signal: (signal) => this.#signal(child, signal),
        endsWithin: (ms) => resolvesWithin(this.#processExited, ms),
      },
      { ...options, graceMs: options.graceMs ?? defaultGraceMs },
    )
    if (!ended) this.#processEnded(null, 'SIGKILL')
    const exit = await this.#finished
    await this.#sweep
    return exit
  }

  async #startLocal(): Promise<void> {
    // What starts processes is loaded when the first one is.
    const { startLocal } = await import('./start-local.ts')
    const { child, group, release, version } = await startLocal(this.#options, () => !!this.#termination)
    this.#group = group
    this.#release = release
    this.#attach(child)
    try {
      if (this.#termination) throw new CLIConnectionError('it was terminated')
      await version
    } catch (error) {
      this.#failed = true
      this.#reader?.stop()
      // A termination that was asked for before waits for this start: waiting for it would never end.
      if (!this.#termination) await this.terminate({ graceMs: 0 })
      throw error
    }
  }

  async #startCustom(spawn: SpawnProcess): Promise<void> {
    if (this.#termination) throw new CLIConnectionError('it was terminated')
    const { cliPath, executable, cwd, args, env } = this.#options
    const cli = cliCommand(cliPath ?? 'claude', executable)
    const { signal } = this.#abort
    const child = spawn({ command: cli.command, args: [...cli.args, ...args], cwd, env, signal })
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
    if (this.#group && !this.#detached) this.#sweep = this.#endRest(this.#group)
    this.#drain(0)
  }

  /** What cannot be ended stays on record. */
  async #endRest(group: ProcessGroup): Promise<void> {
    if (await terminate(group)) this.#release()
  }

  /** What the process started may hold its stdout open for ever. */
  #drain(round: number): void {
    const before = this.#bytesRead
    clearTimeout(this.#drainTimer)
    this.#drainTimer = setTimeout(() => {
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
    clearTimeout(this.#drainTimer)
    reader.end()
    this.#stderr.end()
    this.#child?.stdout.destroy()
    this.#child?.stderr?.destroy()
    const exit = { ...this.#ended, stderrTail: this.#stderr.tail }
    this.#onFinished(exit)
    if (!this.#detached && !this.#failed) this.#receiver?.exit(exit)
  }
}

function ref(handle: unknown): void {
  const candidate = handle as { ref?: () => void } | null | undefined
  candidate?.ref?.()
}

function unref(handle: unknown): void {
  const candidate = handle as { unref?: () => void } | null | undefined
  candidate?.unref?.()
}
