import type { CliContext } from '../context.ts'
import { type Asker, createLineAsker } from './line-asker.ts'

/**
 * Asks for a code where standard input is taken by something else: on the terminal itself, as long as a person sees the question
 * there. Undefined where nobody does.
 */
export function createCodeAsker(
  { stdin, stderr, openTerminal }: CliContext,
  onInterrupt: () => void,
): Asker | undefined {
  if (!openTerminal || stdin.isTTY === true || stderr.isTTY !== true) return undefined
  return {
    async ask(prompt, options) {
      const terminal = openTerminal()
      if (!terminal) return undefined
      try {
        const asker = createLineAsker({ input: terminal.input, output: stderr, onInterrupt })
        return await asker.ask(prompt, options)
      } finally {
        terminal.close()
      }
    },
  }
}
