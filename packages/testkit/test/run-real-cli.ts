import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Offline } from '../src/offline-environment.ts'
import { realCliPath } from '../src/real-cli.ts'

export interface CliMessage {
  type: string
  subtype?: string
  result?: string
  is_error?: boolean
  error_status?: number | null
  message?: { content: { type: string; [field: string]: unknown }[] }
  [field: string]: unknown
}

export interface CliRun {
  exitCode: number | null
  messages: CliMessage[]
  result: CliMessage | undefined
}

const LIMIT_MS = 25_000

export interface Input {
  lines: object[]
  /** The input stays open until a message has come for each of these. At once where there are none. */
  until?: ((message: CliMessage) => boolean)[]
}

/** Runs the real CLI to its end, with a prompt among its arguments or with lines on its standard input. */
export async function runRealCli(
  offline: Offline,
  args: string[],
  input: Input = { lines: [] },
): Promise<CliRun> {
  const child = spawn(realCliPath(), ['--output-format=stream-json', '--verbose', ...args], {
    env: offline.env,
    cwd: offline.cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code))
  })
  for (const line of input.lines) child.stdin.write(`${JSON.stringify(line)}\n`)
  let open = input.until ?? []
  if (open.length === 0) child.stdin.end()
  const messages: CliMessage[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as CliMessage
    messages.push(message)
    open = open.filter((matches) => !matches(message))
    if (open.length === 0) child.stdin.end()
  }
  const exitCode = await ended
  clearTimeout(limit)
  return { exitCode, messages, result: messages.findLast((message) => message.type === 'result') }
}
