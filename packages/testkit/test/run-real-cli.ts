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

export const userLine = (content: string) => ({
  type: 'user',
  session_id: '',
  message: { role: 'user', content },
  parent_tool_use_id: null,
})

/** Has a conversation with the real CLI: each prompt is said when the turn before has its result. Gives the messages of each turn. */
export async function converseWithRealCli(
  offline: Offline,
  args: string[],
  prompts: readonly string[],
): Promise<CliMessage[][]> {
  const child = spawn(
    realCliPath(),
    ['--output-format=stream-json', '--input-format=stream-json', '--verbose', ...args],
    { env: offline.env, cwd: offline.cwd, stdio: ['pipe', 'pipe', 'ignore'] },
  )
  const unsaid = [...prompts]
  const next = () => {
    const prompt = unsaid.shift()
    if (prompt === undefined) child.stdin.end()
    else child.stdin.write(`${JSON.stringify(userLine(prompt))}\n`)
  }
  const turns: CliMessage[][] = [[]]
  next()
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as CliMessage
    turns.at(-1)?.push(message)
    if (message.type !== 'result') continue
    turns.push([])
    next()
  }
  return turns.slice(0, prompts.length)
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
