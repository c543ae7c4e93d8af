/**
 * Finds fields in the bytes of a JSON value without decoding or allocating the rest, so that a line of many megabytes
 * costs one pass over its bytes. Returns nothing for text that ends early; does not otherwise validate what it skips.
 */
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** Where a value begins and one past its end. */
export interface Span {
  readonly start: number
  readonly end: number
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at++
  return at
}

/** One past the closing quote of the string whose opening quote is at `from`; -1 when it never closes. */
function endOfString(bytes: Buffer, from: number): number {
  // A plain loop: in transcripts quotes and backslashes are so near to each other that native searches cost more.
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at + 1
  }
  return -1
}

function endOfContainer(bytes: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfString(bytes, at) - 1
      if (at < 0) return -1
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function endOfValue(bytes: Buffer, from: number): number {
  const first = bytes[from]
  if (first === quote) return endOfString(bytes, from)
  if (first === openBrace || first === openBracket) return endOfContainer(bytes, from)
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === comma || byte === closeBrace || byte === closeBracket) return at
  }
  return -1
}

/** The spans of an object's fields by name, or nothing if there is no complete object at `from`. */
export function scanObject(bytes: Buffer, from = 0): Map<string, Span> | undefined {
  const fields = new Map<string, Span>()
  let at = skipSpace(bytes, from)
  if (bytes[at] !== openBrace) return undefined
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === closeBrace) return fields
  while (bytes[at] === quote) {
    const keyEnd = endOfString(bytes, at)
    if (keyEnd === -1) return undefined
    const key = bytes.toString('utf8', at + 1, keyEnd - 1)
    at = skipSpace(bytes, keyEnd)
    if (bytes[at] !== colon) return undefined
    const start = skipSpace(bytes, at + 1)
    const end = endOfValue(bytes, start)
    if (end === -1) return undefined
    fields.set(key, { start, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === closeBrace) return fields
    if (bytes[at] !== comma) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return undefined
}

/** The spans of an array's items; none if there is no complete array at `from`. */
export function scanArray(bytes: Buffer, from: number): Span[] {
  const items: Span[] = []
  let at = skipSpace(bytes, from)
  if (bytes[at] !== openBracket) return items
  at = skipSpace(bytes, at + 1)
  while (at < bytes.length && bytes[at] !== closeBracket) {
    const end = endOfValue(bytes, at)
    if (end === -1) return items
    items.push({ start: at, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1)
  }
  return items
}

/** The string at a span; nothing if it is not a string. */
export function stringAt(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined || bytes[span.start] !== quote) return undefined
  const inner = bytes.subarray(span.start + 1, span.end - 1)
  if (!inner.includes(backslash)) return inner.toString('utf8')
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', span.start, span.end))
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** True if the literal `true` is at the span. */
export function isTrueAt(bytes: Buffer, span: Span | undefined): boolean {
  return span !== undefined && bytes.toString('latin1', span.start, span.end).trimEnd() === 'true'
}
