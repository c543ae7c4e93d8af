/** What `run` shows of a session on its streams, and how it asks. */
import { type CliContext, columnsOf, isInteractive } from '../context.ts'
import { EventPrinter, type UserMessage } from '../terminal/event-printer.ts'
import { type Asker, createLineAsker } from '../terminal/line-asker.ts'
import { OutputGate } from '../terminal/output-gate.ts'
import { type Style, styleOf } from '../terminal/style.ts'

export interface TerminalView {
  readonly printer: EventPrinter
  readonly style: Style
  /** Absent where nobody can be asked. */
  readonly asker: Asker | undefined
  /** A question is open: output waits until it is answered. */
  hold(): void
  release(): void
  /** Whole lines, at once, beside what the agent says. */
  notify(text: string): void
}

export interface ViewOptions {
  /** The agent's words are printed as they come. */
  stream: boolean
  /** Nothing but what must be said goes to the terminal. */
  quiet: boolean
  /** False where nobody is to be asked although there is a terminal. */
  mayAsk: boolean
  onInterrupt: () => void
  /** Messages that need not be shown. Default: all, since they were typed here. */
  isOwn?: (message: UserMessage) => boolean
}

export function createTerminalView(context: CliContext, options: ViewOptions): TerminalView {
  const { stdin, stdout, stderr, env } = context
  const style = styleOf(stderr, env)
  const screen = stdout.isTTY === true && stderr.isTTY === true
  const gate = new OutputGate((stream, text) => {
    const target = stream === 'say' ? stdout : stderr
    target.write(text)
  })
  const printer = new EventPrinter({
    say: (text) => gate.write('say', text),
    note: (text) => {
      if (!options.quiet) gate.write('note', text)
    },
    sameScreen: screen,
    overwrite: screen,
    isOwn: options.isOwn ?? (() => true),
    style,
    width: () => columnsOf(stderr),
    stream: options.stream,
  })
  const mayAsk = options.mayAsk && isInteractive(context)
  const asker = mayAsk
    ? createLineAsker({ input: stdin, output: stderr, onInterrupt: options.onInterrupt })
    : undefined
  return {
    printer,
    style,
    asker,
    hold() {
      printer.endLine()
      gate.hold()
    },
    release: () => gate.release(),
    notify: notifyBeside(printer, gate),
  }
}

/** Ends a line that is being written; while output is held back, none is. */
export function notifyBeside(printer: EventPrinter, gate: OutputGate): (text: string) => void {
  return (text) => {
    if (!gate.isHeld) printer.endLine()
    gate.writeNow(text)
  }
}
