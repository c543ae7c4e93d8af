/** Talks with a session until the person leaves: what `chat` and `attach` have in common. */
import type { Session } from '@dorkos/shared'
import { type Connection, describeFailure } from '../connect.ts'
import { type CliContext, columnsOf, isInteractive } from '../context.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { ChatConsole } from '../terminal/chat-console.ts'
import { oneLine, safeText } from '../terminal/escape.ts'
import { EventPrinter, type UserMessage } from '../terminal/event-printer.ts'
import { modeMeanings } from '../terminal/mode-meanings.ts'
import { OutputGate } from '../terminal/output-gate.ts'
import { resultText } from '../terminal/render-tool.ts'
import { styleOf } from '../terminal/style.ts'
import { chatHelp, readChatLine } from './chat-commands.ts'
import { Conversation } from './conversation.ts'
import { notifyBeside, type TerminalView } from './terminal-view.ts'
import { withRights } from './with-rights.ts'

export interface ChatLoopOptions {
  connection: Connection
  session: Session
  /** How much of what was said before is shown. */
  history: number
}

export async function chatLoop(context: CliContext, options: ChatLoopOptions): Promise<ExitCode> {
  const loop = new ChatLoop(context, options)
  const off = context.onStop(() => loop.stop())
  try {
    return await loop.run()
  } finally {
    off()
    loop.close()
  }
}

class ChatLoop {
  readonly #options: ChatLoopOptions
  readonly #console: ChatConsole
  readonly #view: TerminalView
  readonly #conversation: Conversation
  #before: string[] = []
  /** One line after the other, so that messages keep their order. */
  #work: Promise<void> = Promise.resolve()
  #leave: () => void = () => undefined
  readonly #left: Promise<void>
  #stopAsked = false

  constructor(context: CliContext, options: ChatLoopOptions) {
    this.#options = options
    this.#left = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.#console = new ChatConsole({
      input: context.stdin,
      output: context.stderr,
      say: context.stdout,
      prompt: '> ',
      onLine: (line) => {
        this.#work = this.#work.then(() => this.#line(line)).catch((error) => this.#fault(error))
      },
      onInterrupt: () => this.stop(),
      // What was typed before the input ended is still done.
      onEnd: () => void this.#work.then(() => this.#leave()),
    })
    this.#view = chatView(context, this.#console, (message) => this.#conversation.isOwn(message))
    this.#conversation = new Conversation({
      connection: options.connection,
      view: this.#view,
      sessionId: options.session.id,
      history: options.history,
      onEvent: (event) => this.#view.printer.print(event),
      onWork: (isWorking) => {
        this.#stopAsked = false
        if (!isWorking) this.#console.prompt()
      },
      onHeld: (count) => this.#view.notify(heldText(count)),
      ...(context.reconnectMs !== undefined && { reconnectMs: context.reconnectMs }),
    })
  }

  async run(): Promise<ExitCode> {
    await this.#conversation.ready
    await Promise.race([this.#left, this.#conversation.ended])
    return exitCodes.completed
  }

  /** Ctrl-C stops the turn; again, or when nothing runs, it leaves. */
  stop(): void {
    if (!this.#conversation.isWorking || this.#stopAsked) return this.#leave()
    this.#stopAsked = true
    this.#view.notify('Stopping… (press again to leave)\n')
    this.#conversation.interrupt().catch((error) => this.#fault(error))
  }

  close(): void {
    this.#conversation.close()
    this.#console.close()
  }

  async #line(line: string): Promise<void> {
    const command = readChatLine(line, this.#before)
    if (command.kind === 'more') {
      this.#before.push(command.text)
      return
    }
    this.#before = []
    const { connection, session } = this.#options
    const params = { id: session.id }
    switch (command.kind) {
      case 'message':
        if (this.#conversation.isWorking) this.#view.notify('(queued)\n')
        else if (this.#conversation.isHeld) this.#view.notify('(runs after the queued messages)\n')
        return this.#conversation.send(command.text)
      case 'stop':
        await this.#conversation.interrupt()
        break
      case 'queue':
        this.#view.notify(this.#queueText())
        break
      case 'run':
        await this.#conversation.release()
        break
      case 'drop':
        this.#view.notify(`Deleted from the queue: ${await this.#conversation.withdrawAll()}.\n`)
        break
      case 'answer':
        if (this.#conversation.answers.askAgain() === 0) this.#view.notify('Nothing to answer.\n')
        break
      case 'model':
        await connection.client.changeSession({ params, body: { model: command.model ?? null } })
        this.#view.notify(`The model is now ${oneLine(command.model ?? 'the default')}.\n`)
        break
      case 'effort':
        await connection.client.changeSession({ params, body: { effort: command.effort ?? null } })
        this.#view.notify(`The effort is now ${command.effort ?? 'the default'}.\n`)
        break
      case 'mode':
        await withRights(connection.rights, this.#view, () =>
          connection.client.changeSession({ params, body: { permission_mode: command.mode } }),
        )
        this.#view.notify(`The permission mode is now ${command.mode}: ${modeMeanings[command.mode]}.\n`)
        break
      case 'quit':
        return this.#leave()
      case 'help':
        this.#view.notify(chatHelp)
        break
      case 'fault':
        this.#view.notify(`${oneLine(command.message)}\n`)
        break
    }
    if (!this.#conversation.isWorking) this.#console.prompt()
  }

  #queueText(): string {
    const { queue } = this.#conversation
    if (queue.length === 0) return 'The queue is empty.\n'
    const lines = queue.map(({ content }, index) => {
      const text = typeof content === 'string' ? content : resultText(content ?? [])
      return `  ${index + 1}  ${oneLine(text, 100)}\n`
    })
    return [...lines, ...(this.#conversation.isHeld ? [heldText(queue.length)] : [])].join('')
  }

  #fault(error: unknown): void {
    this.#view.notify(`${safeText(describeFailure(error).message)}\n`)
    if (!this.#conversation.isWorking) this.#console.prompt()
  }
}

function heldText(count: number): string {
  const what = count === 1 ? '1 message queued' : `${count} messages queued`
  return `${what}: the agent was stopped. /run runs ${count === 1 ? 'it' : 'them'}, /drop deletes ${count === 1 ? 'it' : 'them'}.\n`
}

function chatView(
  context: CliContext,
  console: ChatConsole,
  isOwn: (message: UserMessage) => boolean,
): TerminalView {
  const { stdout, stderr, env } = context
  const style = styleOf(stderr, env)
  const gate = new OutputGate((stream, text) => console.write(stream, text))
  const printer = new EventPrinter({
    say: (text) => gate.write('say', text),
    note: (text) => gate.write('note', text),
    sameScreen: stdout.isTTY === true && stderr.isTTY === true,
    // A line may be typed at any time.
    overwrite: false,
    isOwn,
    style,
    width: () => columnsOf(stderr),
    stream: true,
  })
  return {
    printer,
    style,
    asker: isInteractive(context) ? console : undefined,
    hold() {
      printer.endLine()
      gate.hold()
    },
    release: () => gate.release(),
    notify: notifyBeside(printer, gate),
  }
}
