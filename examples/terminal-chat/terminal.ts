import { createInterface } from 'node:readline'

/** Questions and lines on stdin and stdout, on a terminal or through a pipe. */
export class Terminal {
  readonly #reader = createInterface({ input: process.stdin, output: process.stdout })
  /** Lines that came before anybody asked: a pipe can bring several at once. */
  readonly #lines: string[] = []
  #answer: ((line: string | undefined) => void) | undefined
  #closed = false

  constructor() {
    this.#reader.on('line', (line) => {
      if (this.#answer) this.#answer(line.trim())
      else this.#lines.push(line.trim())
    })
    this.#reader.on('close', () => {
      this.#closed = true
      this.#answer?.(undefined)
    })
  }

  /** The next line; undefined when there is none any more, or when `signal` withdraws the question. */
  async ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return undefined
    this.#reader.setPrompt(question)
    if (!this.#closed) this.#reader.prompt()
    const line = this.#lines.shift()
    if (line !== undefined || this.#closed) return line
    return new Promise((resolve) => {
      const withdraw = () => this.#answer?.(undefined)
      signal?.addEventListener('abort', withdraw)
      this.#answer = (answer) => {
        this.#answer = undefined
        signal?.removeEventListener('abort', withdraw)
        resolve(answer)
      }
    })
  }

  write(text: string): void {
    process.stdout.write(text)
  }

  /** Ctrl-C: on a terminal it is a key that readline reports, elsewhere a signal. */
  onInterrupt(listener: () => void): void {
    this.#reader.on('SIGINT', listener)
    process.on('SIGINT', listener)
  }

  close(): void {
    this.#reader.close()
  }
}
