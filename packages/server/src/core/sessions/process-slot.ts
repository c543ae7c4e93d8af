/** The place of a session's one CLI process: started when it is wanted, once at a time, and never two. */
import type { TurnReasonCode } from '@dorkos/shared'
import { AppError } from '../app-error.ts'
import type { LiveProcess } from './live-process.ts'

export interface ProcessSlotParts {
  /** Waits for a free place among the live processes; the returned function gives it back. Rejects when the signal says so. */
  takePlace(signal: AbortSignal): Promise<() => void>
  /** Makes the process and starts its CLI. */
  start(): Promise<LiveProcess>
  /** It runs, and is the session's process from now on. */
  opened(process: LiveProcess): Promise<void>
}

export class ProcessSlot {
  readonly #parts: ProcessSlotParts
  readonly #giveUp = new AbortController()
  #process: LiveProcess | undefined
  #opening: Promise<LiveProcess> | undefined

  constructor(parts: ProcessSlotParts) {
    this.#parts = parts
  }

  get process(): LiveProcess | undefined {
    return this.#process
  }

  /** Its process is being started. */
  get starting(): boolean {
    return this.#opening !== undefined
  }

  /** The process, once a start that is under way is over; undefined when there is none. */
  async whenOpen(): Promise<LiveProcess | undefined> {
    await this.#opening?.catch(() => undefined)
    return this.#process
  }

  ensure(): Promise<LiveProcess> {
    if (this.#process) return Promise.resolve(this.#process)
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Ends the process in good order, also one that is just being started. */
  async stop(reason: string, code?: TurnReasonCode): Promise<void> {
    const process = this.#process ?? (await this.#opening?.catch(() => undefined))
    await process?.close(reason, code)
  }

  /** The process is gone. */
  clear(): void {
    this.#process = undefined
  }

  /** Nothing starts here any more. */
  giveUp(): void {
    this.#giveUp.abort()
  }

  async #open(): Promise<LiveProcess> {
    const giveBack = await this.#parts.takePlace(this.#giveUp.signal)
    const process = await this.#start().catch((error: unknown) => {
      giveBack()
      throw error
    })
    void process.ended.then(giveBack)
    if (process.isGone) throw new AppError('agent_failed', 'The CLI ended right after its start.')
    this.#process = process
    await this.#parts.opened(process)
    return process
  }

  async #start(): Promise<LiveProcess> {
    this.#checkWanted()
    const process = await this.#parts.start()
    if (this.#giveUp.signal.aborted) await process.close('the session was given up')
    this.#checkWanted()
    return process
  }

  #checkWanted(): void {
    if (this.#giveUp.signal.aborted) throw new AppError('unavailable', 'The session is being closed.')
  }
}
