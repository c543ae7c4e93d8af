/** One thread that runs one version of a module. What happens in it stays in it: here it can only answer, be late, or end. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { toThrownError } from './thrown-error.ts'
import type { FromWorker, LoadedTool, ThrownError, ToWorker, WorkerSetup } from './worker-messages.ts'

export const loadMs = 10_000
/** After the time that the SDK gives a call: it answers then, unless its thread is blocked. */
const graceMs = 1000
/** A call that is cancelled is answered at once, unless the thread is blocked. */
const cancelGraceMs = 5000
const pingMs = 10_000
const mostBlockedMs = 60_000
/** Far below what a client takes in one line. */
const longestAnswer = 8 * 1024 * 1024
const longestTimer = 2 ** 31 - 1
const limits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** What a call comes to: a result or a JSON-RPC error. */
export interface Answer {
  result?: unknown
  error?: { code: number; message: string }
}

/** Why a thread ended that nobody ended. */
export interface WorkerEnd {
  /** A sentence's rest: "called process.exit(3)". */
  reason: string
  error?: ThrownError
}

interface OpenCall {
  name: string
  answer(answer: Answer): void
  timer: NodeJS.Timeout | undefined
}

export interface ModuleWorkerOptions {
  setup: WorkerSetup
  onOutput(worker: Worker): void
}

export class ModuleWorker {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #open = new Map<number, OpenCall>()
  readonly #ended: Promise<WorkerEnd>
  #finish: (end: WorkerEnd) => void = () => {}
  #end: WorkerEnd | undefined
  #calls = 0
  #isDraining = false
  #onLoad: { ready(tools: LoadedTool[]): void; failed(error: ThrownError): void } | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #pingedAt: number | undefined

  constructor({ setup, onOutput }: ModuleWorkerOptions) {
    this.#ended = new Promise((resolve) => {
      this.#finish = resolve
    })
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(new URL('./worker/run-module.js', import.meta.url), {
      workerData: setup,
      argv: [],
      execArgv: ['--no-warnings'],
      stdout: true,
      stderr: true,
      resourceLimits: limits,
      name: 'tools',
    })
    onOutput(this.#worker)
    port1.on('message', (message: FromWorker) => this.#hear(message))
    this.#worker.on('error', (error) => this.#died(error))
    this.#worker.on('exit', (code) => this.#gone({ reason: `called process.exit(${code})` }))
    this.#worker.postMessage({ port: port2 }, [port2])
  }

  /** Resolves when it has ended, by itself or by us. */
  get ended(): Promise<WorkerEnd> {
    return this.#ended
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  /** There is time to load what a module is likely to need. */
  warm(): void {
    this.#post({ type: 'warm' })
  }

  /** Once. Rejects with what went wrong; the thread is ended then. */
  load(file: string): Promise<LoadedTool[]> {
    return new Promise<LoadedTool[]>((resolve, reject: (error: LoadError) => void) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        this.#onLoad = undefined
        then()
      }
      const fail = (error: ThrownError) => settle(() => reject(new LoadError(error)))
      const late = () =>
        fail(plainError(`It was not loaded within ${loadMs / 1000} s: does it loop, or wait for something?`))
      const timer = setTimeout(late, loadMs)
      this.#onLoad = { ready: (tools) => settle(() => resolve(tools)), failed: fail }
      if (this.#end) this.#onLoad.failed(endError(this.#end))
      else this.#post({ type: 'load', file })
    }).then(
      (tools) => {
        this.#watch()
        return tools
      },
      (error: unknown) => {
        this.terminate('was not loaded')
        throw error
      },
    )
  }

  /** Never rejects. `timeoutMs`: what the tool may take; 0 or Infinity for any time. */
  call(params: Record<string, unknown>, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
    const name = String(params.name)
    if (this.#end) return Promise.resolve(failure(name, this.#end.reason))
    this.#calls += 1
    const id = this.#calls
    return new Promise((resolve) => {
      const cancel = () => this.#cancel(id)
      const answer = (given: Answer) => {
        clearTimeout(call.timer)
        signal.removeEventListener('abort', cancel)
        this.#open.delete(id)
        resolve(given)
        this.#endIfDrained()
      }
      const call: OpenCall = { name, answer, timer: undefined }
      this.#open.set(id, call)
      if (timeoutMs > 0 && timeoutMs + graceMs <= longestTimer) {
        const reason = `took longer than ${timeoutMs} ms and blocked its thread`
        call.timer = setTimeout(() => this.#block(call, reason), timeoutMs + graceMs)
      }
      signal.addEventListener('abort', cancel)
      this.#post({ type: 'call', id, params })
      if (signal.aborted) cancel()
    })
  }

  /** No new calls come; those that are open may finish. */
  drain(): void {
    this.#isDraining = true
    this.#endIfDrained()
  }

  terminate(reason: string): void {
    this.#gone({ reason })
    void this.#worker.terminate()
  }

  #post(message: ToWorker): void {
    this.#port.postMessage(message)
  }

  #endIfDrained(): void {
    if (this.#isDraining && this.#open.size === 0) this.terminate('was replaced')
  }

  #cancel(id: number): void {
    const call = this.#open.get(id)
    if (!call) return
    this.#post({ type: 'cancel', id })
    clearTimeout(call.timer)
    call.timer = setTimeout(() => this.#block(call, 'was cancelled and blocked its thread'), cancelGraceMs)
  }

  /** The thread does not come to answer: a loop, most likely. */
  #block(call: OpenCall, reason: string): void {
    call.answer(failure(call.name, `${reason}. Its module is started anew`))
    this.#fail({ reason: `was ended: tool '${call.name}' ${reason}` })
  }

  /** A thread that loops when nobody calls would take a processor for ever. */
  #watch(): void {
    this.#heartbeat = setInterval(() => {
      this.#pingedAt ??= performance.now()
      if (performance.now() - this.#pingedAt < mostBlockedMs || this.#open.size > 0)
        this.#post({ type: 'ping' })
      else this.#fail({ reason: `was ended: it blocked its thread for ${mostBlockedMs / 1000} s` })
    }, pingMs).unref()
  }

  #fail(end: WorkerEnd): void {
    this.#gone(end)
    void this.#worker.terminate()
  }

  /** Hostile: a module that wants to can say anything in its thread. */
  #hear(message: FromWorker): void {
    if (message.type === 'ready') this.#onLoad?.ready(message.tools)
    else if (message.type === 'failed') this.#onLoad?.failed(message.error)
    else if (message.type === 'pong') this.#pingedAt = undefined
    else this.#open.get(message.id)?.answer(toAnswer(message.json, message.id, this.#open))
  }

  #died(error: unknown): void {
    const thrown = toThrownError(error)
    const reason =
      thrown.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `used more than ${limits.maxOldGenerationSizeMb} MB of memory`
        : `crashed: ${thrown.message}`
    this.#gone({ reason, error: thrown })
  }

  #gone(end: WorkerEnd): void {
    if (this.#end) return
    this.#end = end
    clearInterval(this.#heartbeat)
    this.#port.close()
    this.#onLoad?.failed(endError(end))
    for (const call of this.#open.values())
      call.answer(failure(call.name, `did not finish: its module ${end.reason}`))
    this.#finish(end)
  }
}

export class LoadError extends Error {
  readonly thrown: ThrownError

  constructor(thrown: ThrownError) {
    super(thrown.message)
    this.thrown = thrown
  }
}

function endError({ reason, error }: WorkerEnd): ThrownError {
  // What was thrown says it better than that it was.
  if (error && error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return plainError(`While it was loaded, it ${reason}`)
}

function plainError(message: string): ThrownError {
  return { name: 'Error', message, stack: '' }
}

function failure(tool: string, reason: string): Answer {
  return { result: { content: [{ type: 'text', text: `Tool '${tool}' ${reason}.` }], isError: true } }
}

function toAnswer(json: string, id: number, open: ReadonlyMap<number, OpenCall>): Answer {
  const name = open.get(id)?.name ?? ''
  if (json.length > longestAnswer)
    return failure(name, `gave a result of ${json.length} characters; at most ${longestAnswer} are taken`)
  try {
    const { result, error } = JSON.parse(json) as Answer
    return error ? { error } : { result }
  } catch {
    return failure(name, 'gave no answer that can be read')
  }
}
