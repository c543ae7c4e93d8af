/** Lines into a process's stdin: in order, joined to one write per tick, with back-pressure for those who await. */
import type { Writable } from 'node:stream'
import { CLIConnectionError } from '../errors.ts'

interface Batch {
  text: string
  sent: Promise<void>
  resolve: () => void
  reject: (error: Error) => void
}

export class LineWriter {
  readonly #stream: Writable
  #batch: Batch | undefined
  /** Handed to the stream, not yet taken by the process. An array, for the reason given in open-list.ts. */
  #inFlight: Batch[] = []
  #closed: CLIConnectionError | undefined

  constructor(stream: Writable) {
    this.#stream = stream
    // The first reason is the one to report: what follows a broken pipe says less.
    stream.on('error', (error) => this.close('the process no longer reads its input', error))
    stream.on('close', () => this.close('its input is closed'))
  }

  /** Lines of one tick share a promise. It may be ignored: a failure is no unhandled rejection. */
  write(line: string): Promise<void> {
    if (this.#closed) return rejected(this.#closed)
    if (!this.#batch) {
      this.#batch = createBatch()
      process.nextTick(() => this.#flush())
    }
    this.#batch.text += `${line}\n`
    return this.#batch.sent
  }

  /** Sends what is queued, then ends the stream. Resolves when that is done or has become pointless. */
  end(): Promise<void> {
    this.#flush()
    if (this.#stream.writableFinished || this.#stream.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#stream.once('close', resolve)
      this.#stream.end(() => resolve())
      this.#closed ??= new CLIConnectionError('its input was ended')
    })
  }

  /** Refuses all further lines, and fails those that the process has not taken. */
  close(reason: string, cause?: unknown): void {
    this.#closed ??= new CLIConnectionError(reason, { cause })
    const error = new CLIConnectionError(reason, { cause })
    this.#batch?.reject(error)
    this.#batch = undefined
    const unsent = this.#inFlight
    this.#inFlight = []
    for (const batch of unsent) batch.reject(error)
  }

  #flush(): void {
    const batch = this.#batch
    if (!batch) return
    this.#batch = undefined
    this.#inFlight.push(batch)
    this.#stream.write(batch.text, (error) => {
      const index = this.#inFlight.indexOf(batch)
      if (index === -1) return
      this.#inFlight.splice(index, 1)
      if (error)
        batch.reject(new CLIConnectionError('the process no longer reads its input', { cause: error }))
      else batch.resolve()
    })
  }
}

function createBatch(): Batch {
  let resolve: () => void = () => {}
  let reject: (error: Error) => void = () => {}
  const sent = new Promise<void>((onSent, onFailed) => {
    resolve = onSent
    reject = onFailed
  })
  sent.catch(() => {})
  return { text: '', sent, resolve, reject }
}

function rejected(error: Error): Promise<void> {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}
