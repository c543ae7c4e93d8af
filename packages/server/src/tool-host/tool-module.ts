/**
 * One module of the folder through all its versions. While a new version loads, the old one serves; one that fails takes the old one's
 * place only when it stays that way for a moment, as editors save in steps.
 */
import { basename } from 'node:path'
import type { ModuleFault, ModuleReport } from '../core/ports/tool-folders.ts'
import { faultOf } from './error-location.ts'
import { type Answer, LoadError, loadMs, type ModuleWorker, type WorkerEnd } from './module-worker.ts'
import { toThrownError } from './thrown-error.ts'
import type { LoadedTool } from './worker-messages.ts'
import type { LoadedModule } from './worker-source.ts'

/** A fault, or that the file is gone, counts when it lasts this long. */
export const lastingMs = 500
const longestPauseMs = 60_000
/** A thread that served this long starts anew at once, however often it crashed before. */
const soundMs = 60_000

export interface ToolModuleOptions {
  /** Absolute. */
  file: string
  /** Rejects with LoadError. Aborted when it is no longer wanted. */
  load(signal: AbortSignal): Promise<LoadedModule>
  /** Reports or tools are different. */
  onChange(): void
}

export class ToolModule {
  readonly file: string
  readonly #options: ToolModuleOptions
  #files: readonly string[]
  #tools: readonly LoadedTool[] = []
  #faults: ModuleFault[] = []
  #serving: ModuleWorker | undefined
  #loading: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #crashes = 0
  #servesSince = 0
  #isRemoved = false
  readonly #waiting = new Set<() => void>()

  constructor(options: ToolModuleOptions) {
    this.file = options.file
    this.#options = options
    this.#files = [options.file]
  }

  get tools(): readonly LoadedTool[] {
    return this.#tools
  }

  get isLoading(): boolean {
    return this.#loading !== undefined
  }

  report(offered: readonly string[], more: readonly ModuleFault[]): ModuleReport {
    const isOnItsWay = this.#loading !== undefined || (this.#tools.length > 0 && !this.#serving)
    const state = isOnItsWay ? 'loading' : this.#serving ? 'ready' : 'failed'
    return { file: this.file, state, tools: [...offered], faults: [...this.#faults, ...more] }
  }

  /** It, or something that it imports, is new. `files`: the module first, then what it imports. */
  changed(files: readonly string[]): void {
    this.#files = files
    this.#crashes = 0
    this.#load()
  }

  remove(): void {
    this.#isRemoved = true
    this.#stopLoading()
    this.#tools = []
    this.#serving?.drain()
    this.#serving = undefined
    this.#wake()
  }

  /** Never rejects. Waits while its thread is started anew. */
  async call(tool: LoadedTool, params: Record<string, unknown>, signal: AbortSignal): Promise<Answer> {
    const worker = this.#serving ?? (await this.#served(signal))
    if (worker) return worker.call(params, tool.timeoutMs, signal)
    const text = `Tool '${tool.name}' is not available: ${basename(this.file)} is not loaded now.`
    return { result: { content: [{ type: 'text', text }], isError: true } }
  }

  #load(): void {
    this.#stopLoading()
    this.#loading = new AbortController()
    this.#options.onChange()
    void this.#loadVersion(this.#loading)
  }

  #stopLoading(): void {
    clearTimeout(this.#timer)
    this.#loading?.abort()
    this.#loading = undefined
  }

  async #loadVersion(version: AbortController): Promise<void> {
    try {
      const loaded = await this.#options.load(version.signal)
      if (this.#loading === version) this.#adopt(loaded)
      else loaded.worker.terminate('is no longer wanted')
    } catch (error) {
      if (this.#loading !== version) return
      const thrown = error instanceof LoadError ? error.thrown : toThrownError(error)
      const fault = await faultOf(thrown, this.#files)
      if (this.#loading === version) this.#failed(fault)
    }
  }

  #adopt({ worker, tools }: LoadedModule): void {
    this.#loading = undefined
    this.#serving?.drain()
    this.#serving = worker
    this.#servesSince = performance.now()
    this.#tools = tools
    if (this.#crashes === 0) this.#faults = []
    void worker.ended.then((end) => {
      if (this.#serving === worker) void this.#crashed(end)
    })
    this.#wake()
    this.#options.onChange()
  }

  #failed(fault: ModuleFault): void {
    if (!this.#serving && this.#tools.length === 0) {
      this.#loading = undefined
      return this.#drop(fault)
    }
    this.#timer = setTimeout(() => {
      this.#loading = undefined
      this.#drop(fault)
    }, lastingMs)
  }

  #drop(fault: ModuleFault): void {
    this.#tools = []
    this.#serving?.drain()
    this.#serving = undefined
    this.#faults = [fault]
    this.#wake()
    this.#options.onChange()
  }

  /** Its tools stay in the list: it is started anew, at once the first time, then after ever longer pauses. */
  async #crashed({ reason, error }: WorkerEnd): Promise<void> {
    this.#serving = undefined
    if (performance.now() - this.#servesSince > soundMs) this.#crashes = 0
    this.#crashes += 1
    const location = error ? await faultOf(error, this.#files) : { file: this.file }
    if (this.#serving || this.#isRemoved) return
    const fault = { ...location, message: `It ${reason}` }
    this.#faults = [fault]
    // A new version is on its way already.
    if (this.#loading) return
    const pauseMs = this.#crashes === 1 ? 0 : Math.min(500 * 2 ** (this.#crashes - 2), longestPauseMs)
    this.#timer = setTimeout(() => this.#load(), pauseMs)
    this.#options.onChange()
  }

  /** The thread that serves, once there is one; undefined where it does not come in time. */
  async #served(signal: AbortSignal): Promise<ModuleWorker | undefined> {
    const endsAt = performance.now() + loadMs
    while (!this.#serving && this.#tools.length > 0 && !signal.aborted && performance.now() < endsAt) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          this.#waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, endsAt - performance.now())
        this.#waiting.add(wake)
        signal.addEventListener('abort', wake)
      })
    }
    return this.#serving
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
