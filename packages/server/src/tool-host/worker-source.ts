/** Threads for modules: a few are started at a time, and one is kept ready, so that a saved file is served at once. */
import { basename } from 'node:path'
import { ModuleOutput } from './module-output.ts'
import { ModuleWorker } from './module-worker.ts'
import { ownFolders } from './own-packages.ts'
import type { ApprovedFiles, LoadedTool, WorkerSetup } from './worker-messages.ts'

const mostAtOnce = 4
/** A module that hangs while it loads does not keep others waiting for longer than this. */
const turnMs = 1000
/** When a new spare thread is started after one was taken. */
const spareMs = 300

export interface LoadedModule {
  worker: ModuleWorker
  tools: LoadedTool[]
}

interface Spare {
  worker: ModuleWorker
  name: { text: string }
}

export class WorkerSource {
  readonly #write: (line: string) => void
  #setup: WorkerSetup
  #spare: Spare | undefined
  #timer: NodeJS.Timeout | undefined
  #loading = 0
  #isClosed = false
  #isThere = true
  readonly #queue: (() => void)[] = []

  constructor(folder: string, write: (line: string) => void) {
    this.#write = write
    const parentUrl = import.meta.url
    this.#setup = { folder, approved: undefined, parentUrl, ownFolders: ownFolders() }
  }

  /** Threads that are taken from now on load only this. */
  approve(approved: ApprovedFiles): void {
    this.#setup = { ...this.#setup, approved }
    this.#endSpare()
  }

  /** The folder is another one; `isThere`: or there is none. */
  renew(isThere: boolean): void {
    this.#isThere = isThere
    this.#endSpare()
  }

  /** Rejects with LoadError. Abort to give it up. */
  async load(file: string, signal: AbortSignal): Promise<LoadedModule> {
    const endTurn = await this.#turn()
    const timer = setTimeout(endTurn, turnMs)
    const { worker, name } = this.#takeSpare() ?? this.#start()
    name.text = basename(file)
    this.#planSpare()
    const giveUp = () => worker.terminate('was given up')
    signal.addEventListener('abort', giveUp)
    try {
      if (signal.aborted) giveUp()
      return { worker, tools: await worker.load(file) }
    } finally {
      clearTimeout(timer)
      endTurn()
      signal.removeEventListener('abort', giveUp)
    }
  }

  close(): void {
    this.#isClosed = true
    this.#endSpare()
  }

  /** Resolves with what ends it, when there is one. */
  async #turn(): Promise<() => void> {
    if (this.#loading >= mostAtOnce) await new Promise<void>((resolve) => this.#queue.push(resolve))
    else this.#loading += 1
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      const next = this.#queue.shift()
      if (next) next()
      else this.#loading -= 1
    }
  }

  #start(): Spare {
    const name = { text: 'starting' }
    const output = new ModuleOutput(() => name.text, this.#write)
    const worker = new ModuleWorker({
      setup: this.#setup,
      onOutput({ stdout, stderr }) {
        output.follow(stdout)
        output.follow(stderr)
      },
    })
    return { worker, name }
  }

  #takeSpare(): Spare | undefined {
    const spare = this.#spare
    this.#spare = undefined
    return spare && !spare.worker.hasEnded ? spare : undefined
  }

  #planSpare(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#isClosed || !this.#isThere || this.#spare) return
      this.#spare = this.#start()
      this.#spare.worker.warm()
    }, spareMs)
  }

  #endSpare(): void {
    clearTimeout(this.#timer)
    this.#spare?.worker.terminate('is no longer wanted')
    this.#spare = undefined
  }
}
