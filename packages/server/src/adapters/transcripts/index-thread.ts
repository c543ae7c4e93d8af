/** The main thread's side of the index: requests to its thread, which is started again when it fails. */

import { Worker } from 'node:worker_threads'
import { say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import type { Logger } from '../../core/logger.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { compiledThread } from '../compiled-thread.ts'
import type { FromIndex, IndexRequests, IndexSetup, ToIndex } from './protocol.ts'

const maxHeapMb = 256
const minRestartMs = 500
const maxRestartMs = 60_000

/** What the thread says, but for answers. */
export type IndexNews = Exclude<FromIndex, { id: number } | { log: object } | { failed: object }>

export interface IndexThreadSetup extends Omit<IndexSetup, 'rebuild'> {
  logger: Logger
  clock: Clock
  /** A thread was started, for the first time or again. */
  onStart(): void
  onNews(news: IndexNews): void
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class IndexThread {
  readonly #setup: IndexThreadSetup
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #restarts = 0
  #cancelRestart: (() => void) | undefined
  #closed = false

  constructor(setup: IndexThreadSetup) {
    this.#setup = setup
  }

  /** Resolves when the thread has reported what it knew from before. */
  async start(): Promise<void> {
    await this.#start(false)
  }

  request<Name extends keyof IndexRequests>(
    name: Name,
    input: IndexRequests[Name]['input'],
  ): Promise<IndexRequests[Name]['output']> {
    return new Promise((resolve, reject) => {
      if (!this.#worker) return reject(unavailable())
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#post({ id, name, input } as ToIndex)
    })
  }

  /** From now on this folder belongs to those of the setup. */
  follow(configDir: string): void {
    const { configDirs } = this.#setup
    if (configDirs.includes(configDir)) return
    configDirs.push(configDir)
    this.#post({ follow: configDir })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancelRestart?.()
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    this.#post({ close: true })
    await ended
  }

  #post(message: ToIndex): void {
    this.#worker?.postMessage(message)
  }

  #start(rebuild: boolean): Promise<void> {
    const { configDirs, path, logger } = this.#setup
    const workerData: IndexSetup = { configDirs, path, rebuild }
    const worker = new Worker(compiledThread('transcript-index'), {
      workerData,
      name: 'transcript-index',
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    this.#worker = worker
    this.#setup.onStart()
    let isReady = false
    let damaged = false
    return new Promise((resolve, reject) => {
      let failure: Error | undefined
      worker.on('message', (message: FromIndex) => {
        if ('id' in message) this.#settle(message)
        else if ('log' in message) logger[message.log.level](message.log.fields, message.log.message)
        else if ('failed' in message) {
          failure = new Error(message.failed.reason)
          damaged = message.failed.damaged
        } else {
          this.#setup.onNews(message)
          if (!('ready' in message)) return
          isReady = true
          resolve()
        }
      })
      worker.once('error', (error) => {
        failure = error
      })
      worker.once('exit', () => {
        this.#worker = undefined
        for (const { reject: refuse } of this.#waiting.values()) refuse(unavailable())
        this.#waiting.clear()
        if (this.#closed) return resolve()
        if (damaged && !isReady && !rebuild) return resolve(this.#start(true))
        if (!isReady) reject(cannotStart(path, failure))
        if (isReady || this.#restarts > 0) this.#restart(failure, damaged)
      })
    })
  }

  /** A file that makes the thread fail time and again is thrown away too. */
  #restart(error: Error | undefined, damaged: boolean): void {
    const { logger, clock } = this.#setup
    this.#restarts += 1
    const rebuild = damaged || this.#restarts % 3 === 0
    const delayMs = Math.min(minRestartMs * 2 ** (this.#restarts - 1), maxRestartMs)
    logger.error({ error: error?.message, rebuild, delayMs }, 'the thread of the transcript index failed')
    this.#cancelRestart = clock.after(delayMs, () => {
      if (!this.#closed) void this.#start(rebuild).catch(() => {})
    })
  }

  #settle(message: { id: number; value: unknown } | { id: number; failure: string }): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('failure' in message)
      waiting?.reject(new AppError('internal', say('index_failed', { detail: message.failure })))
    else waiting?.resolve(message.value)
  }
}

function unavailable(): AppError {
  return new AppError('unavailable', say('index_starting'))
}

function cannotStart(path: string, failure: Error | undefined): AppError {
  return new AppError('unavailable', say('index_unopened', { path, detail: failure?.message }))
}

/** Node 20 runs no TypeScript: from the sources (in tests) the compiled module is used. */
