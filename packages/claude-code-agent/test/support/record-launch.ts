import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Options, Sdk } from './both-sdks.ts'

export interface Launch {
  command: string
  args: string[]
  env: Record<string, string | undefined>
  cwd: string | undefined
  /** The payload of `initialize`. */
  initialize: Record<string, unknown>
  /** The first user message. */
  message: Record<string, unknown>
}

/** Runs `query()` on a stand-in for the process, and returns how it was launched. Rejects with what the query throws. */
export async function recordLaunch(
  sdk: Sdk,
  options: Options,
  prompt: Parameters<Sdk['query']>[0]['prompt'] = 'go',
): Promise<Launch> {
  const launch: Partial<Launch> = {}
  const spawn: NonNullable<Options['spawnClaudeCodeProcess']> = ({ command, args, env, cwd }) => {
    Object.assign(launch, { command, args, env, cwd })
    return new StandIn((line) => {
      if (isInitialize(line)) launch.initialize = line.request
      if (line.type === 'user') launch.message ??= line
    }) as never
  }
  for await (const _ of sdk.query({ prompt, options: { ...options, spawnClaudeCodeProcess: spawn } }));
  return launch as Launch
}

type Line = Record<string, unknown>

function isInitialize(line: Line): line is { request: Record<string, unknown> } {
  return (line.request as Line | undefined)?.subtype === 'initialize'
}

/** Answers every request with success and every message with a turn, and exits at the end of its input. */
class StandIn extends EventEmitter {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  killed = false
  exitCode: number | null = null
  #unfinished = ''

  constructor(received: (line: Line) => void) {
    super()
    this.stdin.on('data', (chunk: Buffer) => {
      const lines = (this.#unfinished + chunk.toString()).split('\n')
      this.#unfinished = lines.pop() ?? ''
      for (const line of lines.map((text) => JSON.parse(text) as Line)) {
        received(line)
        this.#answer(line)
      }
    })
    this.stdin.on('finish', () => setImmediate(() => this.#exit()))
  }

  kill(): boolean {
    this.killed = true
    return true
  }

  #answer(line: Line): void {
    if (line.type === 'control_request') {
      const response = { commands: [], agents: [], models: [], account: {}, hook_on_failure_supported: true }
      this.#say({
        type: 'control_response',
        response: { subtype: 'success', request_id: line.request_id, response },
      })
    }
    if (line.type !== 'user') return
    this.#say({ type: 'system', subtype: 'init', session_id: 's' })
    this.#say({ type: 'result', subtype: 'success', is_error: false, result: 'ok', session_id: 's' })
    this.#say({ type: 'system', subtype: 'session_state_changed', state: 'idle', sdk_host_only: true })
  }

  #say(line: Line): void {
    this.stdout.write(`${JSON.stringify(line)}\n`)
  }

  #exit(): void {
    if (this.exitCode !== null) return
    this.exitCode = 0
    this.stdout.end()
    this.stderr.end()
    this.emit('exit', 0, null)
    this.emit('close', 0, null)
  }
}
