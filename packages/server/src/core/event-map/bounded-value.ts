/** Sizes: an event is small enough to be stored, sent to every client and kept in memory, whatever a tool returned. */

export const limits = {
  /** A piece of text, thinking or JSON in one event; more is split over several. */
  pieceBytes: 64 * 1024,
  /** All text of one tool result. */
  resultTextBytes: 64 * 1024,
  /** All images and documents of one message or tool result, as base64. */
  binaryBytes: 1024 * 1024,
  /** Blocks in one message or tool result. */
  blocks: 200,
  /** Text of one message to the agent; what the API accepts at most. */
  messageChars: 1_000_000,
  inputBytes: 256 * 1024,
  detailBytes: 32 * 1024,
  /** A message that is passed on as it is. */
  messageBytes: 64 * 1024,
  /** Names, ids, descriptions, notices. */
  shortChars: 4096,
  depth: 32,
} as const

/** The bytes of a value as JSON, nearly (escapes are not counted); stops counting above `limit`. */
export function jsonBytes(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length > limit ? value.length : Buffer.byteLength(value) + 2
  if (typeof value !== 'object' || value === null) return 8
  if (depth > limits.depth) return limit + 1
  let total = 2
  for (const [key, field] of Object.entries(value)) {
    total += (Array.isArray(value) ? 1 : key.length + 4) + jsonBytes(field, limit - total, depth + 1)
    if (total > limit) break
  }
  return total
}

/** The longest beginning of a string that has at most this many bytes, without half a character. */
export function cutText(value: string, maxBytes: number): string {
  if (value.length <= maxBytes && Buffer.byteLength(value) <= maxBytes) return value
  const bytes = Buffer.from(wholeCharacters(value, maxBytes))
  let end = Math.min(bytes.length, maxBytes)
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** The first `count` characters, one less rather than half of a pair. */
function wholeCharacters(value: string, count: number): string {
  const last = value.charCodeAt(count - 1)
  return value.slice(0, last >= 0xd800 && last <= 0xdbff && count < value.length ? count - 1 : count)
}

/** The string in pieces of a bounded size, which together are the string. */
export function pieces(value: string): string[] {
  if (value.length * 3 <= limits.pieceBytes) return [value]
  const parts: string[] = []
  const size = Math.floor(limits.pieceBytes / 3)
  for (let start = 0; start < value.length; ) {
    const part = wholeCharacters(value.slice(start, start + size + 1), size)
    parts.push(part)
    start += part.length
  }
  return parts
}

export const short = (value: string): string =>
  value.length <= limits.shortChars ? value : `${wholeCharacters(value, limits.shortChars)}…`

/** From mild to hard: how long strings and lists may be in a value that is too large. */
const measures = [
  { chars: 16_384, items: 1000 },
  { chars: 4096, items: 200 },
  { chars: 1024, items: 50 },
  { chars: 128, items: 10 },
]

/** The value itself where it is small enough; else a copy whose strings and lists are cut, with what is missing noted in place. */
export function boundedValue(value: unknown, maxBytes: number): unknown {
  if (jsonBytes(value, maxBytes) <= maxBytes) return value
  for (const measure of measures) {
    const cut = shrink(value, measure, 0)
    if (jsonBytes(cut, maxBytes) <= maxBytes) return cut
  }
  return sizeNote(value)
}

/** The same for an object, which stays one. */
export function boundedRecord(value: Record<string, unknown>, maxBytes: number): Record<string, unknown> {
  return boundedValue(value, maxBytes) as Record<string, unknown>
}

/** What stands in for a value that is left out. */
export function sizeNote(value: unknown): Record<string, unknown> {
  const bytes = jsonBytes(value, 1_000_000_000)
  return { omitted: `about ${bytes} bytes, too large for an event` }
}

function shrink(value: unknown, measure: { chars: number; items: number }, depth: number): unknown {
  if (typeof value === 'string')
    return value.length <= measure.chars
      ? value
      : `${wholeCharacters(value, measure.chars)}… (${value.length - measure.chars} characters omitted)`
  if (typeof value !== 'object' || value === null) return value
  if (depth >= limits.depth) return '… (nested too deeply)'
  if (Array.isArray(value)) {
    const items = value.slice(0, measure.items).map((item) => shrink(item, measure, depth + 1))
    const omitted = value.length - items.length
    return omitted > 0 ? [...items, `… (${omitted} more omitted)`] : items
  }
  const fields = Object.entries(value)
  const kept = fields
    .slice(0, measure.items)
    .map(([key, field]): [string, unknown] => [key.slice(0, 200), shrink(field, measure, depth + 1)])
  if (fields.length > kept.length) kept.push(['…', `${fields.length - kept.length} more omitted`])
  return Object.fromEntries(kept)
}
