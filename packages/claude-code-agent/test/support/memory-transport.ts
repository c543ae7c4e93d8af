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
  #receiver: TransportReceiver | undefined

  async connect(receiver: TransportReceiver): Promise<void> {
    this.#receiver = receiver
  }

  async write(line: string): Promise<void> {
    if (this.broken) throw new CLIConnectionError('the line is closed')
    this.written.push(JSON.parse(line) as Message)
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
    return { exitCode: 0, signal: null, stderrTail: '' }
  }
}
