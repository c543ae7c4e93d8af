import { openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import type { OpenedTerminal } from './context.ts'

/** The terminal that this process belongs to, also where standard input is a file. Undefined where there is none. */
export function openTerminal(): OpenedTerminal | undefined {
  try {
    const input = new ReadStream(openSync('/dev/tty', 'r+'))
    return { input, close: () => void input.destroy() }
  } catch {
    return undefined
  }
}
