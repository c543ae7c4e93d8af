import { CLIConnectionError } from '../../src/errors.ts'
import type { Transport, TransportExit, TransportReceiver } from '../../src/transport/transport.ts'

type Message = Record<string, unknown>

/** A transport without a process: what is written is kept, and what the other side says is up to the test. */
export class MemoryTransport implements Transport {
  /** Every line that was written, parsed. */
  readonly written: Message[] = []
  readonly pid = undefined
  /** While set, every write is refused, as with a process that is gone. */
  broken = false
  /** Notified of every line that is written, as the other side would be. */
  onWrite: ((message: Message) => void) | undefined
  #receiver: TransportReceiver | undefined
  #exited = false

  async connect(receiver: TransportReceiver): Promise<void> {
    this.#receiver = receiver
  }

  async write(line: string): Promise<void> {
    if (this.broken) throw new CLIConnectionError('the line is closed')
    const message = JSON.parse(line) as Message
    this.written.push(message)
    this.onWrite?.(message)
  }

  /** The other side says this. */
  receive(message: Message): void {
    if (!this.#receiver) throw new Error('not connected')
    this.#receiver.message(message)
  }

  async endInput(): Promise<void> {}
  pauseReading(): void {}
  resumeReading(): void {}
  async detach(): Promise<void> {}

  async terminate(): Promise<TransportExit> {
    const exit = { exitCode: 0, signal: null, stderrTail: '' }
    if (!this.#exited) this.#receiver?.exit(exit)
    this.#exited = true
    return exit
  }
}
