/** A server as a child process that speaks JSON-RPC by lines. Nothing of it is left once `close()` resolves. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import {
  endMarked,
  guardExit,
  type Line,
  LineReader,
  nextMarkValue,
  ProcessGroup,
  terminate,
} from '@dorkos/processes'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { StdioLaunch } from '../server-entry.ts'
import { parseJsonRpcLine } from './json-rpc-line.ts'
import type { ShownStderr } from './shown-stderr.ts'
import { TimeBudget } from './time-budget.ts'
import { UpstreamError } from './upstream-error.ts'

/** Set in every server process, and so in all that it starts, to say whose it is. */
export const markVariable = 'DORKOS_MCP_MARK'

/** The parser can take half a second for it. */
const longestLine = 4 * 1024 * 1024
/** Shorter ones are limited by their number. */
const longLine = 16 * 1024
/** In a row: many servers print a banner, or a log line now and then. */
const mostForeignLines = 1000
/** What may wait for a child that does not read. */
const mostPendingBytes = 32 * 1024 * 1024
/** A server may talk this much in a while; then it is read again when the while is over, so that it cannot take all our time. */
const whileMs = 50
const mostLinesAWhile = 1000
const mostBytesAWhile = 8 * 1024 * 1024
/** After its end, or that of its input, for the last lines and the exit code to come. */
const lastWordsMs = 200
const graceMs = 2000
const killMs = 1000

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <T extends JSONRPCMessage>(message: T) => void

  readonly #launch: StdioLaunch
  readonly #markValue: string
  readonly #stderr: ShownStderr
  readonly #lines: LineReader
  #child: ChildProcessWithoutNullStreams | undefined
  #group: ProcessGroup | undefined
  #unguard: () => void = () => {}
  #end: UpstreamError | undefined
  #closing: Promise<void> | undefined
  readonly #budget = new TimeBudget()
  #foreignLines = 0
  #linesThisWhile = 0
  #bytesThisWhile = 0
  #breather: NodeJS.Timeout | undefined

  constructor(launch: StdioLaunch, mark: string, stderr: ShownStderr) {
    this.#launch = launch
    this.#markValue = nextMarkValue(mark)
    this.#stderr = stderr
    this.#lines = new LineReader({
      maxLineBytes: longestLine,
      onLine: (line) => this.#read(line),
      onTooLong: () => this.#fail(`sent a line longer than ${longestLine / 1024 / 1024} MiB`),
    })
  }

  /** Of the process while it lives. */
  get pid(): number | undefined {
    return this.#end ? undefined : this.#child?.pid
  }

  /** Why it ended; `undefined` while it has not, or when we ended it. */
  get failure(): UpstreamError | undefined {
    return this.#end
  }

  async start(): Promise<void> {
    if (this.#child) throw new Error('A transport is started once.')
    if (this.#closing) throw new UpstreamError('other', 'was stopped')
    try {
      await this.#spawn()
    } catch (error) {
      throw await explainSpawnError(error, this.#launch)
    }
  }

  /** Resolves when the child has been given the message, not when it has read it. */
  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (!input?.writable || this.#end || this.#closing) throw this.#end ?? new Error('is not running')
    const line = Buffer.from(`${JSON.stringify(message)}\n`)
    if (input.writableLength + line.length > mostPendingBytes) {
      throw new UpstreamError('other', 'does not read what it is sent')
    }
    input.write(line)
  }

  /** Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#terminate()
    return this.#closing
  }

  #spawn(): Promise<void> {
    const { command, args, env, cwd } = this.#launch
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env, [markVariable]: this.#markValue },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
    this.#child = child
    if (child.pid !== undefined) {
      this.#group = new ProcessGroup(child.pid)
      this.#unguard = guardExit(this.#group)
    }
    // Without listeners, a broken pipe would end our program.
    child.stdin.on('error', () => this.#later('closed its input'))
    child.stdout.on('error', (error) => this.onerror?.(error))
    child.stderr.on('error', (error) => this.onerror?.(error))
    child.stdout.on('data', (chunk: Buffer) => this.#hear(chunk))
    child.stdout.on('end', () => this.#later('closed its output'))
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    child.on('exit', (code, signal) => this.#exited(code, signal))
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => {
        child.off('error', reject)
        child.on('error', (error) => this.onerror?.(error))
        resolve()
      })
    })
  }

  #hear(chunk: Buffer): void {
    if (this.#end || this.#closing) return
    this.#breather ??= setTimeout(() => this.#breathe(), whileMs)
    this.#bytesThisWhile += chunk.length
    this.#lines.push(chunk)
    if (this.#linesThisWhile > mostLinesAWhile || this.#bytesThisWhile > mostBytesAWhile) {
      this.#child?.stdout.pause()
    }
  }

  #breathe(): void {
    this.#breather = undefined
    this.#linesThisWhile = 0
    this.#bytesThisWhile = 0
    this.#child?.stdout.resume()
  }

  #read({ text, bytes }: Line): void {
    if (text === '') return
    this.#linesThisWhile += 1
    if (bytes < longLine) return this.#take(text)
    const startedAt = performance.now()
    this.#take(text)
    const now = performance.now()
    if (!this.#budget.spend(now - startedAt, now)) this.#fail('sent more than can be read in good time')
  }

  #take(line: string): void {
    const message = parseJsonRpcLine(line)
    if (!message) {
      this.#foreignLines += 1
      if (this.#foreignLines > mostForeignLines) {
        this.#fail(`wrote more than ${mostForeignLines} lines that are no messages to its standard output`)
      }
      return
    }
    this.#foreignLines = 0
    try {
      this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    const reason = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
    const output = this.#child?.stdout
    if (!output || output.readableEnded) return this.#fail(reason)
    // Its last lines may still be in the pipe; a process that it left behind may hold the pipe open for ever.
    const timer = setTimeout(() => this.#fail(reason), lastWordsMs)
    output.once('end', () => {
      clearTimeout(timer)
      this.#fail(reason)
    })
  }

  /** The exit code says more, if it comes. */
  #later(reason: string): void {
    if (!this.#end && !this.#closing) setTimeout(() => this.#fail(reason), lastWordsMs)
  }

  #fail(reason: string): void {
    if (this.#end || this.#closing) return
    this.#end = new UpstreamError('other', reason)
    void this.close()
  }

  async #terminate(): Promise<void> {
    this.#lines.stop()
    if (this.#breather) clearTimeout(this.#breather)
    this.#child?.stdout.resume()
    this.#child?.stdin.end()
    try {
      this.onclose?.()
    } catch {
      // Whoever listens must not keep a process alive.
    }
    const group = this.#group
    if (group) {
      // What has ended, or broken the rules, is not waited for.
      if (await terminate(group, { graceMs: this.#end ? 0 : graceMs, killMs })) this.#unguard()
      await endMarked(markVariable, this.#markValue)
    }
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.#stderr.end()
  }
}

async function explainSpawnError(error: unknown, launch: StdioLaunch): Promise<UpstreamError> {
  const code = (error as NodeJS.ErrnoException).code
  const folder = await stat(launch.cwd).catch(() => undefined)
  if (!folder?.isDirectory()) {
    return new UpstreamError('missing', `working directory not found: ${launch.cwd}`, { cause: error })
  }
  if (code === 'ENOENT' || (code === 'EACCES' && !(await isThere(launch)))) {
    return new UpstreamError('missing', `command not found: ${launch.command}`, { cause: error })
  }
  if (code === 'EACCES') {
    return new UpstreamError('missing', `command cannot be run: ${launch.command}`, { cause: error })
  }
  return new UpstreamError('other', `could not be started (${code ?? 'unknown reason'})`, { cause: error })
}

/** The system also says EACCES of a command that is nowhere, when a folder of the PATH is closed to us. */
async function isThere({ command, cwd, env }: StdioLaunch): Promise<boolean> {
  const folders = command.includes('/') ? [''] : (env.PATH ?? '').split(delimiter)
  const found = folders.map((folder) => stat(resolve(cwd, folder, command)).catch(() => undefined))
  return (await Promise.all(found)).some((file) => file !== undefined)
}
