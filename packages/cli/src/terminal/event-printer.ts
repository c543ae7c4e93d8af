/** Prints the events of a session: what the agent says to one stream, everything around it to another. */
import type { StreamEvent } from '@dorkos/shared'
import { formatDuration, formatUsd } from './amounts.ts'
import { fit, oneLine, safeText } from './escape.ts'
import { renderNotice } from './render-notice.ts'
import { resultText, toolSubject, toolTitle } from './render-tool.ts'
import type { Style } from './style.ts'

export interface PrinterOptions {
  /** What the agent says. */
  say: (text: string) => void
  /** Thinking, tool calls, notices. */
  note: (text: string) => void
  /** Both end on the same screen: they share its lines. */
  sameScreen: boolean
  /** The last line of that screen can be written over: nobody types in it. */
  overwrite: boolean
  style: Style
  width: () => number
  /** Texts of the agent are printed as they come; otherwise not at all. */
  stream: boolean
  /** The beginning of a tool call is shown on the screen, not only its end. Default: yes. */
  callStarts?: boolean
  /** The message was typed here: it is not repeated. */
  isOwn: (message: UserMessage) => boolean
}

export type UserMessage = Extract<StreamEvent, { type: 'user_message' }>

interface OpenCall {
  title: string
  subject: string
  indent: string
  startedAt: number
}

export class EventPrinter {
  readonly #options: PrinterOptions
  readonly #calls = new Map<string, OpenCall>()
  /** Where the text that is being written belongs: another block begins a new line. */
  #block: string | undefined
  #lineOpen = { say: false, note: false }
  /** The call whose line is the last on the screen, still to be written over. */
  #pending: string | undefined

  constructor(options: PrinterOptions) {
    this.#options = options
  }

  print(event: StreamEvent): void {
    switch (event.type) {
      case 'text_delta':
        if (event.parent === undefined && this.#options.stream) this.#say(blockOf(event), event.text)
        return
      case 'thinking_delta':
        if (event.parent === undefined && this.#options.stream) this.#think(blockOf(event), event.text)
        return
      case 'tool_call_end':
        return this.#callBegan(event)
      case 'approval_resolved':
        return this.#callAnswered(event)
      case 'tool_result':
        return this.#callEnded(event)
      case 'user_message':
        return this.#userMessage(event)
      case 'turn_end':
        return this.#turnEnded(event)
      default: {
        const line = renderNotice(event, this.#options.style)
        if (line !== undefined) this.line(line)
      }
    }
  }

  /** A line of its own beside what the agent says. */
  line(text: string): void {
    this.endLine()
    this.#write('note', `${text}\n`)
  }

  /** Ends a line that is still being written. */
  endLine(): void {
    this.#pending = undefined
    this.#block = undefined
    for (const kind of ['say', 'note'] as const) if (this.#lineOpen[kind]) this.#write(kind, '\n')
  }

  #say(block: string, text: string): void {
    this.#enter(block)
    this.#write('say', safeText(text))
  }

  #think(block: string, text: string): void {
    this.#enter(`${block} thinking`)
    const safe = safeText(text)
    this.#write('note', this.#options.style.dim(safe), safe)
  }

  #enter(block: string): void {
    if (this.#block === block) return
    this.endLine()
    this.#block = block
  }

  #callBegan(event: Extract<StreamEvent, { type: 'tool_call_end' }>): void {
    const call: OpenCall = {
      title: toolTitle(event.name),
      subject: toolSubject(event.input),
      indent: event.parent === undefined ? '' : '  ',
      startedAt: Date.parse(event.time),
    }
    this.#calls.set(event.tool_call_id, call)
    if (!this.#options.sameScreen || this.#options.callStarts === false) return
    if (!this.#options.overwrite) return this.line(this.#callLine('…', call, ''))
    this.endLine()
    this.#write('note', this.#callLine('…', call, ''))
    this.#pending = event.tool_call_id
  }

  #callAnswered(event: Extract<StreamEvent, { type: 'approval_resolved' }>): void {
    const call = event.tool_call_id === undefined ? undefined : this.#calls.get(event.tool_call_id)
    // The time that a person took to answer is not the tool's.
    if (call) call.startedAt = Date.parse(event.time)
    const line = renderNotice(event, this.#options.style)
    if (line !== undefined) this.line(line)
  }

  #callEnded(event: Extract<StreamEvent, { type: 'tool_result' }>): void {
    const call = this.#calls.get(event.tool_call_id)
    if (!call) return
    this.#calls.delete(event.tool_call_id)
    const { style, width } = this.#options
    const overwrite = this.#pending === event.tool_call_id
    if (!overwrite) this.endLine()
    const mark = event.is_error ? style.red('✗') : style.green('✓')
    const duration = formatDuration(Date.parse(event.time) - call.startedAt)
    this.#write('note', `${overwrite ? '\r\x1b[2K' : ''}${this.#callLine(mark, call, duration)}\n`)
    this.#pending = undefined
    if (!event.is_error) return
    const [first = ''] = resultText(event.content).trim().split('\n')
    this.line(style.red(fit(`${call.indent}  ${oneLine(first)}`, width() - 1)))
  }

  /** Never wider than the screen: a line that wraps cannot be written over. */
  #callLine(mark: string, { title, subject, indent }: OpenCall, duration: string): string {
    const { style, width } = this.#options
    const room = width() - indent.length - title.length - duration.length - 6
    const about = room > 4 ? fit(subject, room) : ''
    return (
      indent + [mark, style.bold(title), about, style.dim(duration)].filter((part) => part !== '').join(' ')
    )
  }

  #userMessage(event: UserMessage): void {
    if (event.parent !== undefined || event.synthetic || this.#options.isOwn(event)) return
    const text = typeof event.content === 'string' ? event.content : resultText(event.content)
    const { style } = this.#options
    this.line(
      safeText(text)
        .split('\n')
        .map((line) => style.cyan(`> ${line}`))
        .join('\n'),
    )
  }

  #turnEnded(event: Extract<StreamEvent, { type: 'turn_end' }>): void {
    if (event.outcome === 'joined') return
    const { style } = this.#options
    const facts = [
      event.outcome.replaceAll('_', ' '),
      ...(event.duration_ms === undefined ? [] : [formatDuration(event.duration_ms)]),
      ...(event.usd === undefined ? [] : [formatUsd(event.usd)]),
    ].join(', ')
    const reason = event.reason ? `: ${oneLine(event.reason)}` : ''
    const isFine = event.outcome === 'completed' && event.reason === undefined
    this.line(isFine ? style.dim(`(${facts})`) : style.red(`(${facts}${reason})`))
    this.#calls.clear()
  }

  /** `plain`: the text without colours. */
  #write(kind: 'say' | 'note', text: string, plain = text): void {
    if (plain === '') return
    this.#options[kind](text)
    const open = !plain.endsWith('\n')
    if (this.#options.sameScreen) this.#lineOpen = { say: false, note: open }
    else this.#lineOpen[kind] = open
  }
}

function blockOf({ message_id, index }: { message_id: string; index: number }): string {
  return `${message_id} ${index}`
}
