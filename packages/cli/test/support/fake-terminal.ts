/** A terminal in memory: what is written to it can be waited for, lines can be typed, Ctrl-C can be pressed. */
import { PassThrough, Writable } from 'node:stream'
import { type CliContext, runCli, type StopSignal } from '../../src/index.ts'

export interface FakeTerminalOptions {
  env: Record<string, string>
  cwd: string
  /** False: standard streams are pipes. */
  isTTY?: boolean
  /** What comes through the pipe. */
  input?: string
  reconnectMs?: number
}

export class FakeTerminal {
  readonly context: CliContext
  readonly #stdin = new PassThrough()
  readonly #listeners = new Set<(signal: StopSignal) => void>()
  #waiting: { pattern: RegExp; found: () => void }[] = []
  /** How far `shown` has read. */
  #read = 0
  stdout = ''
  stderr = ''
  /** Both, as a screen shows them. */
  screen = ''

  constructor({ env, cwd, isTTY = true, input = '', reconnectMs = 2000 }: FakeTerminalOptions) {
    const stdin = Object.assign(this.#stdin, { isTTY })
    this.context = {
      env: { ...env, NO_COLOR: '1' },
      cwd,
      stdin,
      stdout: this.#output('stdout', isTTY),
      stderr: this.#output('stderr', isTTY),
      script: '/opt/dorkos/main.js',
      reconnectMs,
      onStop: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
    }
    if (!isTTY) this.#stdin.end(input)
  }

  run(...args: string[]): Promise<number> {
    return runCli(args, this.context)
  }

  /** Resolves once this stands on the screen, after what was waited for before. */
  shown(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => reject(new Error(`${pattern} was never shown on:\n${this.screen}`))
      const timer = setTimeout(fail, 50_000)
      const found = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push({ pattern, found })
      this.#check()
    })
  }

  type(line: string): void {
    this.#stdin.write(`${line}\n`)
  }

  /** Ctrl-D. */
  endInput(): void {
    this.#stdin.end()
  }

  interrupt(): void {
    for (const listener of [...this.#listeners]) listener('SIGINT')
  }

  #output(name: 'stdout' | 'stderr', isTTY: boolean) {
    const write = (text: string) => {
      this[name] += text
      this.screen += text
      this.#check()
    }
    const stream = new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        write(String(chunk))
        done()
      },
    })
    return Object.assign(stream, { isTTY, columns: 100 })
  }

  #check(): void {
    const [next] = this.#waiting
    const match = next?.pattern.exec(this.screen.slice(this.#read))
    if (!next || !match) return
    this.#read += match.index + match[0].length
    this.#waiting.shift()
    next.found()
    this.#check()
  }
}
