import type { TokenUsage } from './observation.ts'

export interface UsageScanner {
  push(chunk: Buffer): void
  /** What was seen so far. The figures of the end take the place of those of the start. */
  readonly usage: TokenUsage | undefined
  readonly model: string | undefined
}

/** Only at the start of a line: a newline inside an event's data is escaped, so no text of the model can look like this. */
const NEEDLE = Buffer.from('\nevent: message_')
const EVENT_END = Buffer.from('\n\n')
const LARGEST_EVENT = 65_536

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const

/**
 * Reads `message_start` and `message_delta` out of a stream of events that passes by. All other bytes are only searched for
 * the beginning of one, and none is kept: this runs for every token.
 */
export function createUsageScanner(): UsageScanner {
  let usage: TokenUsage | undefined
  let model: string | undefined
  // The end of what came before, where a needle can have begun. The start of the stream is the start of a line.
  let tail: Buffer = Buffer.from('\n')
  let event: Buffer | undefined

  const read = (text: string) => {
    const found = parseEvent(text)
    if (found === undefined) return
    if (found.model !== undefined) model = found.model
    if (found.usage !== undefined) usage = { ...usage, ...found.usage }
  }

  const scan = (bytes: Buffer) => {
    let from = 0
    for (;;) {
      const start = bytes.indexOf(NEEDLE, from)
      if (start < 0) return
      const end = bytes.indexOf(EVENT_END, start + 1)
      if (end < 0) {
        event = Buffer.from(bytes.subarray(start))
        return
      }
      read(bytes.toString('utf8', start + 1, end))
      from = end
    }
  }

  return {
    push(chunk) {
      if (event !== undefined) {
        const joined = Buffer.concat([event, chunk])
        event = undefined
        if (joined.length <= LARGEST_EVENT) scan(joined)
      } else if (Buffer.concat([tail, chunk.subarray(0, NEEDLE.length)]).includes(NEEDLE)) {
        scan(Buffer.concat([tail, chunk]))
      } else {
        scan(chunk)
      }
      tail = Buffer.concat([tail, chunk.subarray(-NEEDLE.length)]).subarray(-(NEEDLE.length - 1))
    },
    get usage() {
      return usage
    },
    get model() {
      return model
    },
  }
}

function parseEvent(text: string): { usage?: TokenUsage; model?: string } | undefined {
  const data = text.split('\n').find((line) => line.startsWith('data:'))
  if (data === undefined) return undefined
  return readMessage(data.slice('data:'.length))
}

/** Usage and model of a whole message, or of the events that carry them. Undefined where it is none. */
export function readMessage(json: string): { usage?: TokenUsage; model?: string } | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  const outer = asRecord(value)
  const message = outer.message === undefined ? outer : asRecord(outer.message)
  const usage = readUsage(message.usage)
  return {
    ...(usage !== undefined && { usage }),
    ...(typeof message.model === 'string' && { model: message.model.slice(0, 200) }),
  }
}

function readUsage(value: unknown): TokenUsage | undefined {
  const given = asRecord(value)
  const usage: TokenUsage = {}
  for (const name of COUNTS) {
    const count = given[name]
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0) usage[name] = count
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
