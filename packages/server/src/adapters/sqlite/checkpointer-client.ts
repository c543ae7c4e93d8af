/** Starts the checkpointer thread with the first write, and tells it at most once a second that there was one. */
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../core/logger.ts'
import { compiledModule } from './compiled-module.ts'
import type { CheckpointerSetup, FromCheckpointer, ToCheckpointer } from './worker/checkpointer.ts'

export interface CheckpointerClient {
  /** Something was committed. */
  wrote(): void
  close(): Promise<void>
}

const delayMs = 1000

export function createCheckpointer(path: string, logger: Logger): CheckpointerClient {
  let worker: Worker | undefined
  let ended: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function start(): Worker {
    const setup: CheckpointerSetup = { path }
    const started = new Worker(compiledModule('checkpointer'), { workerData: setup, name: 'checkpointer' })
    started.unref()
    started.on('message', ({ fault }: FromCheckpointer) => logger.warn({ fault }, 'checkpoint failed'))
    // The writer checkpoints by itself when the log grows long, so that this is no loss but of speed.
    started.on('error', (error) => logger.warn({ error }, 'the checkpointer failed'))
    ended = new Promise((resolve) => started.once('exit', () => resolve()))
    return started
  }

  function post(message: ToCheckpointer): void {
    worker ??= start()
    worker.postMessage(message)
  }

  return {
    wrote() {
      if (timer || closed) return
      timer = setTimeout(() => {
        timer = undefined
        post('checkpoint')
      }, delayMs).unref()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      if (!worker) return
      worker.ref()
      post('close')
      await ended
    },
  }
}
