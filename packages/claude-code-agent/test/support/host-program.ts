/** A program of its own that uses the compiled SDK, to see what is left of it when it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sdk = new URL('../../dist/index.js', import.meta.url).href
let programs = 0

export interface HostProgram {
  readonly process: ChildProcess
  /** What it wrote to stdout so far. */
  readonly output: () => string
  readonly errors: () => string
  /** How it ended. Rejects, and kills it, when it does not within bounds. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/**
 * `dir` holds the program and its registry of processes, so that programs of one test share it and tests do not.
 * In `code`, `agent` is an agent on the CLI at `cliPath`.
 */
export function runProgram(dir: string, cliPath: string, code: string, limitMs = 60_000): HostProgram {
  const runtimeDir = join(dir, 'runtime')
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 })
  const file = join(dir, `program-${programs++}.mjs`)
  writeFileSync(
    file,
    `import * as sdk from ${JSON.stringify(sdk)}
const agent = new sdk.ClaudeCodeAgent({ cliPath: ${JSON.stringify(cliPath)} })
const print = (text) => process.stdout.write(text + '\\n')
${code}
`,
  )
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, XDG_RUNTIME_DIR: runtimeDir },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the program did not end within ${limitMs} ms: ${output}${errors}`))
    }, limitMs)
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer)
      resolve({ code: exitCode, signal })
    })
  })
  ended.catch(() => {})
  return { process: child, output: () => output, errors: () => errors, ended }
}
