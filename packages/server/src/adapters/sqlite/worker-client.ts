/** The main thread's side of the database thread: typed calls, gathered into groups. */

import { Worker } from 'node:worker_threads'
import { say } from '@dorkos/shared'
import { AppError } from '../../core/app-error.ts'
import type { Logger } from '../../core/logger.ts'
import { compiledThread } from '../compiled-thread.ts'
import { createCheckpointer } from './checkpointer-client.ts'
import { fromFailure } from './worker/failure.ts'
import type { OperationInput, OperationName, OperationOutput } from './worker/operations.ts'
import type { DatabaseSetup, FromDatabase, OperationReply, Request, ToDatabase } from './worker/protocol.ts'

export type Call = <N extends OperationName>(
  name: N,
  ...input: unknown extends OperationInput<N> ? [] : [OperationInput<N>]
) => Promise<OperationOutput<N>>

export interface WorkerClient {
  readonly logId: string
  call: Call
  /** Ends the thread after all calls that were made. Later calls are refused. */
  close(): Promise<void>
}

interface Waiting {
  request: Request
  resolve(value: unknown): void
  reject(error: Error): void
}

/** More wait for the next group, so that one commit stays short. */
const requestsPerGroup = 1000

export async function startWorker(path: string, logger: Logger): Promise<WorkerClient> {
  const setup: DatabaseSetup = { path }
  const worker = new Worker(compiledThread('database'), { workerData: setup, name: 'database' })
  const groups = createGroups((requests) => worker.postMessage({ requests } satisfies ToDatabase))
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const checkpointer = createCheckpointer(path, logger)
  let closing: Promise<void> | undefined

  const opened = await new Promise<{ logId: string }>((resolve, reject) => {
    worker.on('message', (message: FromDatabase) => {
      if ('opened' in message) resolve(message.opened)
      else if ('refused' in message) reject(fromFailure(message.refused))
      else if ('replies' in message) {
        if (message.wrote) checkpointer.wrote()
        groups.settle(message.replies, message.done)
      }
    })
    worker.once('error', (error) => {
      logger.error({ error, path }, 'the database thread failed')
      const stopped = new AppError('unavailable', say('database_thread_failed', { detail: error.message }))
      groups.refuse(stopped)
      reject(stopped)
    })
    worker.once('exit', () => {
      const stopped = new AppError('unavailable', say('database_closed'))
      groups.refuse(stopped)
      reject(stopped)
    })
  }).catch(async (error: unknown) => {
    await worker.terminate()
    throw error
  })

  return {
    logId: opened.logId,
    call: groups.call,
    close() {
      closing ??= groups
        .finish()
        .then(() => checkpointer.close())
        .then(() => {
          worker.postMessage({ close: true } satisfies ToDatabase)
          return ended
        })
      return closing
    },
  }
}

function createGroups(post: (requests: Request[]) => void) {
  let gathering: Waiting[] = []
  let inWork: Waiting[] = []
  let scheduled = false
  let refusal: AppError | undefined
  let finished: (() => void) | undefined

  function next(): void {
    scheduled = false
    if (inWork.length > 0) return
    if (gathering.length > 0) {
      inWork = gathering.splice(0, requestsPerGroup)
      send()
    } else finished?.()
  }

  function send(): void {
    try {
      post(inWork.map((waiting) => waiting.request))
    } catch {
      // One holds what cannot pass to a thread, such as a function: it fails alone.
      inWork = inWork.filter(({ request, reject }) => {
        try {
          structuredClone(request)
          return true
        } catch (error) {
          reject(new AppError('internal', say('record_unstorable'), { cause: error }))
          return false
        }
      })
      if (inWork.length === 0) next()
      else post(inWork.map((waiting) => waiting.request))
    }
  }

  function schedule(): void {
    if (scheduled || inWork.length > 0) return
    scheduled = true
    queueMicrotask(next)
  }

  return {
    call: ((name: OperationName, input?: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        if (refusal) return reject(refusal)
        gathering.push({ request: { name, input }, resolve, reject })
        schedule()
      })) as Call,

    settle(replies: [index: number, reply: OperationReply][], done: boolean): void {
      for (const [index, reply] of replies) {
        const waiting = inWork[index]
        if ('failure' in reply) waiting?.reject(fromFailure(reply.failure))
        else waiting?.resolve(reply.value)
      }
      if (!done) return
      inWork = []
      next()
    },

    /** Nobody answers any more. */
    refuse(error: AppError): void {
      refusal ??= error
      for (const waiting of [...inWork, ...gathering]) waiting.reject(error)
      inWork = []
      gathering = []
      finished?.()
    },

    /** Takes no further calls; resolves when all are answered. */
    async finish(): Promise<void> {
      refusal ??= new AppError('unavailable', say('database_closed'))
      if (inWork.length === 0 && gathering.length === 0) return
      await new Promise<void>((resolve) => {
        finished = resolve
      })
    },
  }
}
