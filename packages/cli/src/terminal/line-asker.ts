/** Asks a person for one line. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { InputStream, OutputStream } from '../context.ts'

export interface AskOptions {
  /** Takes the question back. */
  signal?: AbortSignal
  /** Stands in the line already, to be edited. */
  initial?: string
  /** What is typed is not shown. */
  hidden?: boolean
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
    async ask(prompt, { signal, initial, hidden = false } = {}) {
      if (signal?.aborted) return undefined
      const terminal = output.isTTY === true && 'setRawMode' in input
      const lines = createInterface({
        input,
        output: hidden ? nowhere() : output,
        terminal,
        historySize: 0,
        prompt: '',
      })
      try {
        return await new Promise<string | undefined>((resolve) => {
          let isShown = false
          const timer = setTimeout(() => {
            isShown = true
            if (terminal) lines.write(null, { ctrl: true, name: 'u' })
            lines.setPrompt(hidden ? '' : prompt)
            if (hidden) output.write(prompt)
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
          lines.on('line', (line) => {
            if (!isShown) return
            // The end of the line was not shown either.
            if (hidden && terminal) output.write('\n')
            end(line)
          })
          lines.on('close', () => end(undefined))
          lines.on('SIGINT', onInterrupt)
        })
      } finally {
        lines.close()
      }
    },
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
