/**
 * Has what was committed moved into the database file, at most once a second, by a thread that is there only while much is written:
 * the little that is written otherwise can wait, since the writer checkpoints by itself when its log grows long.
 */
import { Worker } from 'node:worker_threads'
import type { Logger } from '../../core/logger.ts'
import { compiledThread } from '../compiled-thread.ts'
import type { CheckpointerSetup, FromCheckpointer, ToCheckpointer } from './worker/checkpointer.ts'

export interface CheckpointerClient {
  /** Something was committed. */
  wrote(): void
  close(): Promise<void>
}

const delayMs = 1000
/** Commits that can wait. */
const few = 200
const idleMs = 30_000

export function createCheckpointer(path: string, logger: Logger): CheckpointerClient {
  let worker: Worker | undefined
  let ended: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let commits = 0
  let closed = false

  function start(): Worker {
    const setup: CheckpointerSetup = { path }
    const started = new Worker(compiledThread('checkpointer'), { workerData: setup, name: 'checkpointer' })
    started.unref()
    started.on('message', ({ fault }: FromCheckpointer) => logger.warn({ fault }, 'checkpoint failed'))
    // The writer checkpoints by itself when the log grows long, so that this is no loss but of speed.
    started.on('error', (error) => logger.warn({ error }, 'the checkpointer failed'))
    ended = new Promise((resolve) => started.once('exit', () => resolve()))
    return started
  }

  function checkpoint(): void {
    worker ??= start()
    worker.postMessage('checkpoint' satisfies ToCheckpointer)
    clearTimeout(idleTimer)
    idleTimer = setTimeout(end, idleMs).unref()
  }

  function end(): void {
    worker?.postMessage('close' satisfies ToCheckpointer)
    worker = undefined
  }

  return {
    wrote() {
      commits++
      if (timer || closed || commits < few) return
      timer = setTimeout(() => {
        timer = undefined
        commits = 0
        checkpoint()
      }, delayMs).unref()
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearTimeout(idleTimer)
      worker?.ref()
      end()
      await ended
    },
  }
}
