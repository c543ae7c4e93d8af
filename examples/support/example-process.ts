import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Offline, realCliPath } from '@dorkos/testkit'

const LIMIT_MS = 25_000

export interface ExampleRun {
  exitCode: number | null
  /** Standard output and standard error, as they came. */
  output: string
}

/** A compiled example, run as a user runs it, on the real CLI against a scripted model. */
export class ExampleProcess {
  readonly exited: Promise<ExampleRun>
  readonly #child: ChildProcess
  #output = ''
  #read = 0
  #check = () => {}

  constructor(story: string, offline: Offline, args: readonly string[] = []) {
    const program = fileURLToPath(new URL(`../dist/${story}/main.js`, import.meta.url))
    if (!existsSync(program))
      throw new Error(`${program} is missing: build the examples with npx tsc -b examples`)
    this.#child = spawn(process.execPath, [program, ...args], {
      cwd: offline.cwd,
      env: { ...offline.env, CLAUDE_CODE_PATH: realCliPath() },
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
        this.#check()
      })
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), LIMIT_MS)
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('close', (exitCode) => {
        clearTimeout(limit)
        resolve({ exitCode, output: this.#output })
      })
    })
  }

  /** Resolves once this text has come, after what an earlier call found. */
  async waitFor(text: string): Promise<void> {
    const found = new Promise<void>((resolve) => {
      this.#check = () => {
        const at = this.#output.indexOf(text, this.#read)
        if (at < 0) return
        this.#read = at + text.length
        resolve()
      }
      this.#check()
    })
    const ended = this.exited.then(({ output }) => {
      throw new Error(`The example ended without ${JSON.stringify(text)}. It wrote:\n${output}`)
    })
    await Promise.race([found, ended])
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  endOfInput(): void {
    this.#child.stdin?.end()
  }

  interrupt(): void {
    this.#child.kill('SIGINT')
  }
}

export function runExample(story: string, offline: Offline, args?: readonly string[]): Promise<ExampleRun> {
  return new ExampleProcess(story, offline, args).exited
}
