/** Asks a person for one line. */
import { createInterface } from 'node:readline'
import type { InputStream, OutputStream } from '../context.ts'

export interface AskOptions {
  /** Takes the question back. */
  signal?: AbortSignal
  /** Stands in the line already, to be edited. */
  initial?: string
}

export interface Asker {
  /** The line, without its end. Undefined: taken back, or there is no more input. */
  ask(prompt: string, options?: AskOptions): Promise<string | undefined>
}

export interface LineAskerOptions {
  input: InputStream
  output: OutputStream
  /** Ctrl-C while a question is open: the terminal then sends no signal. */
  onInterrupt: () => void
}

/** Long enough for what the terminal has buffered to arrive. */
const settleMs = 30

/**
 * The terminal is listened to only while a question is open, so that Ctrl-C is a signal at all other times. What was typed
 * before the question was shown is thrown away: it cannot have been meant as an answer.
 */
export function createLineAsker({ input, output, onInterrupt }: LineAskerOptions): Asker {
  return {
    async ask(prompt, { signal, initial } = {}) {
      if (signal?.aborted) return undefined
      const terminal = output.isTTY === true && 'setRawMode' in input
      const lines = createInterface({ input, output, terminal, historySize: 0, prompt: '' })
      try {
        return await new Promise<string | undefined>((resolve) => {
          let isShown = false
          const timer = setTimeout(() => {
            isShown = true
            if (terminal) lines.write(null, { ctrl: true, name: 'u' })
            lines.setPrompt(prompt)
            lines.prompt()
            if (initial !== undefined && terminal) lines.write(initial)
          }, settleMs)
          const end = (answer: string | undefined) => {
            clearTimeout(timer)
            signal?.removeEventListener('abort', takeBack)
            resolve(answer)
          }
          const takeBack = () => {
            output.write('\n')
            end(undefined)
          }
          signal?.addEventListener('abort', takeBack)
          lines.on('line', (line) => isShown && end(line))
          lines.on('close', () => end(undefined))
          lines.on('SIGINT', onInterrupt)
        })
      } finally {
        lines.close()
      }
    },
  }
}
