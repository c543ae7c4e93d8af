/** What was said in a transcript, line by line from any offset on: for an index that grows with the file. */
import { InvalidOptionsError } from '../errors.ts'
import { readLines } from './line-reader.ts'
import { saidIn } from './said.ts'
import { type SpokenEntry, spokenEntry } from './spoken-entry.ts'
import { modelOf } from './transcript-facts.ts'
import { fileAt, openTranscript } from './transcript-location.ts'

const chunkBytes = 256 * 1024
/** Longer lines are not held, but gone through. */
const heldLineBytes = 1024 * 1024

export interface SessionText {
  /** Where the line begins in the file. */
  offset: number
  /** For what was said into a running turn, the id under which it was sent. */
  uuid: string
  role: 'user' | 'assistant'
  text: string
  /** The model that said it. */
  model?: string
  /** The model's message, which can be in several entries. */
  messageId?: string
  /** ISO 8601, as the CLI wrote it. */
  timestamp?: string
}

export interface ReadSessionTextOptions {
  /** Where to begin: 0, or the `position` of an earlier reading. */
  from?: number
}

export interface SessionTextReader extends AsyncIterable<SessionText> {
  /** One past the last line that was gone through: go on from here when the file has grown. A torn line is not passed. */
  readonly position: number
}

/**
 * What people and the model said, in the order of the file, rewound turns included: no tool calls or results, no
 * thinking, no subagents, no summaries, nothing that the CLI itself put in. A file that is not there has nothing in it.
 * Holds about a megabyte at a time; of longer lines at most that much of each text.
 */
export function readSessionText(path: string, options: ReadSessionTextOptions = {}): SessionTextReader {
  const { from = 0 } = options
  if (!Number.isInteger(from) || from < 0)
    throw new InvalidOptionsError(`\`from\` must be a whole number from 0 up, but it is ${from}.`)
  let position = from
  return {
    get position() {
      return position
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<SessionText, void> {
      if ((await fileAt(path)) === undefined) return
      const handle = await openTranscript(path)
      try {
        const lines = readLines(handle, { start: position, chunkBytes, maxLineBytes: heldLineBytes })
        for await (const line of lines) {
          const entry = await spokenEntry(handle, line)
          if (!line.terminated && entry === undefined) return
          position = line.offset + line.length + (line.terminated ? 1 : 0)
          const said = entry && textOf(entry)
          if (said) yield { offset: line.offset, ...said }
        }
      } finally {
        await handle.close()
      }
    },
  }
}

function textOf(entry: SpokenEntry): Omit<SessionText, 'offset'> | undefined {
  const type = entry.text('type')
  const uuid = entry.text('uuid')
  if (uuid === undefined || ['isSidechain', 'isMeta', 'isCompactSummary'].some((name) => entry.isTrue(name)))
    return undefined
  const timestamp = entry.text('timestamp')
  const when = timestamp !== undefined && { timestamp }
  if (type === 'assistant') {
    const text = joined(entry.blocks('message.content').map((block) => block.text))
    const model = modelOf(entry.text('message.model'))
    const messageId = entry.text('message.id')
    if (text === undefined) return undefined
    return {
      uuid,
      role: 'assistant',
      text,
      ...(model && { model }),
      ...(messageId && { messageId }),
      ...when,
    }
  }
  if (type !== 'user' && !isQueued(entry, type)) return undefined
  const blocks = entry.blocks(type === 'user' ? 'message.content' : 'attachment.prompt')
  if (blocks.some((block) => block.type === 'tool_result')) return undefined
  const text = joined(blocks.map((block) => spoken(block.text)))
  const sentAs = (type === 'attachment' && entry.text('attachment.source_uuid')) || uuid
  return text === undefined ? undefined : { uuid: sentAs, role: 'user', text, ...when }
}

function isQueued(entry: SpokenEntry, type: string | undefined): boolean {
  if (type !== 'attachment' || entry.text('attachment.type') !== 'queued_command') return false
  return (entry.text('attachment.commandMode') ?? 'prompt') === 'prompt'
}

function spoken(raw: string | undefined): string | undefined {
  const said = raw === undefined ? undefined : saidIn(raw)
  return said && (said.args === undefined ? said.text : `${said.text} ${said.args}`)
}

function joined(texts: (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined && text !== '').join('\n') || undefined
}
