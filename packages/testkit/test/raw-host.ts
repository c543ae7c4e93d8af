import { type ChildProcess, spawn } from 'node:child_process'
import type { FakeCli } from '../src/fake-cli.ts'

/** A message as parsed, loosely: tests look into it by path. */
// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
export type Frame = any

export interface RawHostOptions {
  args?: string[]
  env?: Record<string, string>
  detached?: boolean
  /** Answers requests of the CLI; `undefined` leaves one open. */
  onRequest?: (request: Frame, id: string) => unknown
}

/** The smallest host of a CLI: no SDK, so that the tests see what is on the wire. */
export class RawHost {
  readonly child: ChildProcess
  readonly lines: string[] = []
  readonly frames: Frame[] = []
  stdout = Buffer.alloc(0)
  stderr = ''
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  readonly closed: Promise<void>
  #rest = ''
  #waiting: (() => void)[] = []
  #ended = false
  readonly #onRequest: RawHostOptions['onRequest']

  constructor(cli: FakeCli, options: RawHostOptions = {}) {
    this.#onRequest = options.onRequest
    const env = { PATH: process.env.PATH, CLAUDE_CODE_SDK_READS_SESSION_STATE: '1', ...options.env }
    this.child = spawn(cli.path, options.args ?? [], { env, detached: options.detached ?? false })
    this.child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.child.stdin?.on('error', () => undefined)
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    this.closed = new Promise((resolve) => {
      this.child.once('close', () => {
        this.#ended = true
        this.#wake()
        resolve()
      })
    })
  }

  /** What came after the last whole line. */
  get rest(): string {
    return this.#rest
  }

  write(text: string): void {
    this.child.stdin?.write(text)
  }

  send(...frames: Frame[]): void {
    this.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''))
  }

  user(content: string, uuid?: string): void {
    this.send({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, uuid })
  }

  control(id: string, request: Frame): void {
    this.send({ type: 'control_request', request_id: id, request })
  }

  respond(id: string, response: unknown): void {
    this.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })
  }

  /** The response to a control request of the host. */
  async response(id: string): Promise<Frame> {
    return (await this.frame((frame) => frame.response?.request_id === id)).response
  }

  /** The nth frame that fits, now or later; fails when the output ends without it. */
  async frame(fits: (frame: Frame) => boolean, nth = 0): Promise<Frame> {
    for (;;) {
      const found = this.frames.filter(fits)[nth]
      if (found !== undefined) return found
      if (this.#ended) throw new Error(`no such frame; stdout: ${this.lines.join('\n').slice(0, 2000)}`)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  state(state: string, nth = 0): Promise<Frame> {
    return this.frame((frame) => frame.subtype === 'session_state_changed' && frame.state === state, nth)
  }

  request(subtype: string, nth = 0): Promise<Frame> {
    return this.frame((frame) => frame.type === 'control_request' && frame.request.subtype === subtype, nth)
  }

  result(nth = 0): Promise<Frame> {
    return this.frame((frame) => frame.type === 'result', nth)
  }

  /** Ends stdin and waits for the process to be gone. */
  async end(): Promise<{ code: number | null; signal: string | null }> {
    this.child.stdin?.end()
    const exit = await this.exited
    await this.closed
    return exit
  }

  #read(chunk: Buffer): void {
    this.stdout = Buffer.concat([this.stdout, chunk])
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#accept(Buffer.from(line, 'latin1').toString())
    this.#wake()
  }

  #accept(line: string): void {
    this.lines.push(line)
    let frame: Frame
    try {
      frame = JSON.parse(line)
    } catch {
      return
    }
    if (typeof frame !== 'object' || frame === null) return
    this.frames.push(frame)
    if (frame.type !== 'control_request') return
    const response = this.#onRequest?.(frame.request, frame.request_id)
    if (response !== undefined) this.respond(frame.request_id, response)
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

/** Answers MCP requests for a server with one tool, which echoes its arguments. */
export function echoServer(request: Frame): unknown {
  if (request.subtype !== 'mcp_message') return undefined
  const { method, id, params } = request.message
  const answer = (result: unknown): unknown => ({ mcp_response: { jsonrpc: '2.0', id: id ?? 0, result } })
  if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} } })
  if (method === 'tools/list') return answer({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] })
  if (method !== 'tools/call') return answer({})
  return answer({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] })
}

/** An `initialize` request that announces servers with manifests, each with a tool `echo`. */
export function initializeWith(...servers: string[]): Frame {
  const manifest = {
    initializeResult: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's' } },
    toolsListResult: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  }
  return {
    subtype: 'initialize',
    sdkMcpServers: servers,
    sdkMcpServerManifests: Object.fromEntries(servers.map((name) => [name, manifest])),
  }
}
