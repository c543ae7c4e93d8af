/** One process of the CLI under test, on its bare wire: no code of the SDK, so that what is seen is the CLI. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'

/** A message as it came. Cases look into it by path. */
// biome-ignore lint/suspicious/noExplicitAny: the CLI sends messages of every shape
export type Frame = any

/** Answers one request of the CLI. Undefined leaves it open. */
export type Answer = (request: Frame, requestId: string) => unknown

export interface CliOptions {
  path: string
  args: readonly string[]
  env: Record<string, string>
  cwd: string
  answer: Answer
}

/** Far above what anything takes, on a busy machine too; what never comes fails its case by then. */
const PATIENCE_MS = 60_000

export class Cli {
  readonly frames: Frame[] = []
  readonly process: ChildProcess
  /** Its exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>
  stderr = ''
  #ended = false
  #turns = 0
  readonly #answer: Answer
  readonly #waiting = new Set<() => void>()

  constructor({ path, args, env, cwd, answer }: CliOptions) {
    this.#answer = answer
    this.process = spawn(path, args, { env, cwd })
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.process.stdin?.on('error', () => undefined)
    const lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => this.#accept(line))
    this.exited = new Promise((resolve, reject) => {
      this.process.once('error', (error) => {
        this.stderr += error.message
        this.#ended = true
        this.#wake()
        reject(error)
      })
      this.process.once('close', (code, signal) => {
        this.#ended = true
        this.#wake()
        resolve(code ?? signal ?? 'unknown')
      })
    })
    this.exited.catch(() => undefined)
  }

  write(line: string): void {
    this.process.stdin?.write(`${line}\n`)
  }

  send(frame: Frame): void {
    this.write(JSON.stringify(frame))
  }

  /** Sends a message and says under which id. */
  say(content: unknown, more: Frame = {}): string {
    const uuid = more.uuid ?? randomUUID()
    const message = { role: 'user', content }
    this.send({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid, ...more })
    return uuid
  }

  /** Sends a message, and waits for the result and the rest after it. */
  async turn(content: unknown): Promise<Frame> {
    const nth = this.#turns++
    this.say(content)
    const result = await this.result(nth)
    await this.state('idle', nth)
    return result
  }

  /** Asks the CLI. Gives its whole response: `subtype`, and `response` or `error`. */
  async ask(subtype: string, more: Frame = {}): Promise<Frame> {
    const id = randomUUID()
    this.send({ type: 'control_request', request_id: id, request: { subtype, ...more } })
    const isAnswer = (frame: Frame): boolean =>
      frame.type === 'control_response' && frame.response.request_id === id
    return (await this.until(isAnswer, `answer to ${subtype}`)).response
  }

  respond(requestId: string, response: unknown): void {
    this.send({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } })
  }

  refuse(requestId: string, error: string): void {
    this.send({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } })
  }

  /** The nth frame that fits, now or later. */
  async until(fits: (frame: Frame) => boolean, what: string, nth = 0): Promise<Frame> {
    let found: Frame
    await this.untilTrue(() => {
      found = this.frames.filter(fits)[nth]
      return found !== undefined
    }, what)
    return found
  }

  /** Fails when the process ends, or nothing comes for too long. Looked at with every frame. */
  async untilTrue(holds: () => boolean, what: string): Promise<void> {
    const limit = Date.now() + PATIENCE_MS
    while (!holds()) {
      if (this.#ended || Date.now() >= limit) throw new Error(`no ${what}; ${this.#summary()}`)
      await this.#next(limit - Date.now())
    }
  }

  /** The nth frame with these fields. */
  frame(fields: Frame, nth = 0): Promise<Frame> {
    return this.until((frame) => has(frame, fields), JSON.stringify(fields), nth)
  }

  result(nth = 0): Promise<Frame> {
    return this.frame({ type: 'result' }, nth)
  }

  state(state: string, nth = 0): Promise<Frame> {
    return this.frame({ subtype: 'session_state_changed', state }, nth)
  }

  /** The nth request of the CLI of this kind. */
  request(subtype: string, nth = 0): Promise<Frame> {
    return this.frame({ type: 'control_request', request: { subtype } }, nth)
  }

  all(fields: Frame): Frame[] {
    return this.frames.filter((frame) => has(frame, fields))
  }

  /** The calls that the host was asked about, and those that its hooks saw: the request's own fields. */
  requests(subtype: string): Frame[] {
    return this.all({ type: 'control_request', request: { subtype } }).map((frame) => frame.request)
  }

  /** Ends the input and waits for the process. */
  async end(): Promise<number | string> {
    this.process.stdin?.end()
    const limit = setTimeout(() => this.process.kill('SIGKILL'), PATIENCE_MS)
    try {
      return await this.exited
    } finally {
      clearTimeout(limit)
    }
  }

  async kill(): Promise<void> {
    if (!this.#ended) this.process.kill('SIGKILL')
    await this.exited.catch(() => undefined)
  }

  #accept(line: string): void {
    let frame: Frame
    try {
      frame = JSON.parse(line)
    } catch {
      frame = { type: 'not_json', line }
    }
    this.frames.push(frame)
    if (frame.type === 'control_request') {
      const response = this.#answer(frame.request, frame.request_id)
      if (response !== undefined) this.respond(frame.request_id, response)
    }
    this.#wake()
  }

  #next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms)
      this.#waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  #summary(): string {
    const seen = this.frames
      .slice(-12)
      .map((frame) => [frame.type, frame.subtype ?? frame.request?.subtype].filter(Boolean).join('/'))
    const end = this.#ended ? 'the process ended; ' : ''
    return `${end}last seen: ${seen.join(', ') || 'nothing'}; stderr: ${this.stderr.slice(-400)}`
  }
}

/** Whether a frame has these fields, deeply; others may be there. */
function has(frame: Frame, fields: Frame): boolean {
  if (typeof fields !== 'object' || fields === null) return isDeepStrictEqual(frame, fields)
  if (typeof frame !== 'object' || frame === null) return false
  return Object.entries(fields).every(([name, value]) => has(frame[name], value))
}
