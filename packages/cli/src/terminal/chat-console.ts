/** A terminal to talk at: a line can be typed at any time, output comes above it, and questions are asked in it. */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline'
import type { InputStream, OutputStream } from '../context.ts'
import type { Asker, AskOptions } from './line-asker.ts'

export interface ChatConsoleOptions {
  input: InputStream
  output: OutputStream
  /** What the agent says goes here; the same screen, as a rule. */
  say: OutputStream
  prompt: string
  /** A line that answers no question. */
  onLine: (line: string) => void
  onInterrupt: () => void
  /** No more input. */
  onEnd: () => void
}

export class ChatConsole implements Asker {
  readonly #options: ChatConsoleOptions
  readonly #lines: Interface
  readonly #isTerminal: boolean
  #question: { answer: (line: string | undefined) => void; skipsLine: boolean } | undefined
  /** The prompt stands on the screen. */
  #isPrompting = false
  /** Part of a line that waits until the person has finished theirs. */
  #unfinished = ''
  /** Part of a line that stands on the screen. */
  #begun = ''

  constructor(options: ChatConsoleOptions) {
    this.#options = options
    const { input, output } = options
    this.#isTerminal = output.isTTY === true && 'setRawMode' in input
    this.#lines = createInterface({ input, output, terminal: this.#isTerminal, prompt: options.prompt })
    this.#lines.on('line', (line) => this.#line(line))
    this.#lines.on('SIGINT', options.onInterrupt)
    this.#lines.on('close', () => {
      this.#question?.answer(undefined)
      options.onEnd()
    })
  }

  /** Shows that something can be typed. */
  prompt(): void {
    if (this.#question) return
    this.#isPrompting = true
    this.#lines.prompt(true)
  }

  /** Output, whole lines or parts. A line that is being typed stays whole: what comes meanwhile goes above it, line by line. */
  write(stream: 'say' | 'note', text: string): void {
    const target = stream === 'say' ? this.#options.say : this.#options.output
    const isTyping = this.#isTerminal && this.#lines.line !== ''
    if (!isTyping) {
      if (this.#isPrompting && this.#isTerminal) this.#clearTyped()
      this.#isPrompting = false
      target.write(this.#unfinished + text)
      this.#unfinished = ''
      this.#begun = afterLastLine(this.#begun + text)
      return
    }
    // What stood in the line when the typing began is cleared with it, and written again.
    this.#unfinished = `${this.#begun}${this.#unfinished}${text}`
    this.#begun = ''
    const rest = afterLastLine(this.#unfinished)
    if (rest === this.#unfinished) return
    this.#clearTyped()
    target.write(this.#unfinished.slice(0, this.#unfinished.length - rest.length))
    this.#unfinished = rest
    this.#lines.prompt(true)
  }

  /** A line that the person had begun before the question was shown is no answer to it. */
  ask(prompt: string, { signal, initial }: AskOptions = {}): Promise<string | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const end = (line: string | undefined) => {
        signal?.removeEventListener('abort', takeBack)
        this.#question = undefined
        this.#lines.setPrompt(this.#options.prompt)
        resolve(line)
      }
      const takeBack = () => {
        this.#options.output.write('\n')
        end(undefined)
      }
      signal?.addEventListener('abort', takeBack)
      this.#question = { answer: end, skipsLine: this.#lines.line !== '' }
      this.#lines.setPrompt(prompt)
      this.#lines.prompt(true)
      if (initial !== undefined && this.#isTerminal) this.#lines.write(initial)
    })
  }

  close(): void {
    this.#lines.close()
  }

  #line(line: string): void {
    this.#isPrompting = false
    const question = this.#question
    if (question && !question.skipsLine) return question.answer(line)
    if (question) question.skipsLine = false
    this.#begun = ''
    if (this.#unfinished !== '') this.write('say', '')
    this.#options.onLine(line)
    if (question && this.#question === question) this.#lines.prompt()
  }

  #clearTyped(): void {
    const { output } = this.#options
    moveCursor(output, 0, -this.#lines.getCursorPos().rows)
    cursorTo(output, 0)
    clearScreenDown(output)
  }
}

function afterLastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}
