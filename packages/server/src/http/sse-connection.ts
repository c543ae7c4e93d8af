/**
 * One client of an event stream, on Node's own response. Frames come encoded, so a thousand clients share one buffer. What a
 * client has not taken is bounded: one that falls too far behind is disconnected, and resumes by id when it comes back.
 */
import type { ServerResponse } from 'node:http'

export interface ConnectionLimits {
  /** Bytes and frames that may wait for a client. */
  maxBytes: number
  maxFrames: number
  /** How long a replay waits for a client that does not read. */
  stallMs: number
}

export class SseConnection {
  readonly #response: ServerResponse
  readonly #limits: ConnectionLimits
  readonly #onSlow: () => void
  readonly #closers: (() => void)[] = []
  #closed = false
  /** Frames since the client last had everything. */
  #waiting = 0
  #isCheckPlanned = false

  constructor(response: ServerResponse, limits: ConnectionLimits, onSlow: () => void) {
    this.#response = response
    this.#limits = limits
    this.#onSlow = onSlow
    response.once('close', () => this.#finish())
    response.on('error', () => this.#finish())
  }

  /** Sends the head. The body ends with the connection: no chunks, so a frame is one write of a shared buffer. */
  open(firstBytes: string): void {
    this.#response.removeHeader('transfer-encoding')
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      connection: 'close',
      'x-accel-buffering': 'no',
    })
    this.#response.socket?.setNoDelay(true)
    this.#response.write(firstBytes)
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Called once, when the connection is over for whatever reason; at once if it is already. */
  onClose(closer: () => void): void {
    if (this.#closed) closer()
    else this.#closers.push(closer)
  }

  /** Live frames, in one buffer. Never waits. */
  write(bytes: Buffer | string, frames = 1): void {
    if (this.#closed) return
    const response = this.#response
    if (response.writableLength === 0) this.#waiting = 0
    this.#waiting += frames
    response.write(bytes)
    if (response.writableLength > this.#limits.maxBytes || this.#waiting > this.#limits.maxFrames) {
      this.#planCheck()
    }
  }

  /** A frame of a replay: waits until the client has taken enough of it. False when the connection is over. */
  async send(frame: Buffer | string): Promise<boolean> {
    if (this.#closed) return false
    if (!this.#response.write(frame)) await this.#drained()
    this.#waiting = 0
    return !this.#closed
  }

  /** Ends in good order, with a last frame if given. */
  end(lastFrame?: string): void {
    if (this.#closed) return
    this.#response.end(lastFrame)
    this.#finish()
  }

  /** Ends now; what waits is lost to this connection. */
  destroy(): void {
    this.#response.destroy()
    this.#finish()
  }

  /** Checked after the system has had its chance to take what was written in this turn of the loop. */
  #planCheck(): void {
    if (this.#isCheckPlanned) return
    this.#isCheckPlanned = true
    setImmediate(() => {
      this.#isCheckPlanned = false
      const unsent = this.#response.writableLength
      if (unsent === 0) this.#waiting = 0
      const isSlow = unsent > this.#limits.maxBytes || this.#waiting > this.#limits.maxFrames
      if (!isSlow || this.#closed) return
      this.#onSlow()
      this.destroy()
    })
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#response.off('drain', done)
        this.#response.off('close', done)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#onSlow()
        this.destroy()
        done()
      }, this.#limits.stallMs)
      this.#response.on('drain', done)
      this.#response.on('close', done)
    })
  }

  #finish(): void {
    if (this.#closed) return
    this.#closed = true
    for (const closer of this.#closers.splice(0)) closer()
  }
}
