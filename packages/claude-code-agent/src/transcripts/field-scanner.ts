/**
 * Finds fields in a JSON object that arrives in pieces, and keeps nothing of the rest: for lines that are too long to
 * be held. Does not validate what it passes over.
 */
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** Deeper fields are not read. */
const maxDepth = 4
const maxKeyBytes = 200
/** What is found is bounded too, whatever a line consists of. */
const maxFields = 10_000

/** How many bytes of the value at a path are wanted; 0 for none. Items of arrays are `*`: `message.content.*.text`. */
export type WantedFields = (path: string) => number

interface Frame {
  readonly isArray: boolean
  key: string
  index: number
}

interface Capture {
  readonly isKey: boolean
  readonly path: string
  readonly maxBytes: number
  pieces: Buffer[]
  length: number
}

export class FieldScanner {
  /** Strings and other plain values by path, with the indices of arrays: `message.content.0.text`. */
  readonly values = new Map<string, string | number | boolean | null>()
  /** The object was read to its end. */
  isComplete = false
  readonly #wanted: WantedFields
  readonly #frames: Frame[] = []
  /** How far below the deepest frame that is followed. */
  #below = 0
  #atKey = false
  #inString = false
  #inScalar = false
  #escaped = false
  #capture: Capture | undefined

  constructor(wanted: WantedFields) {
    this.#wanted = wanted
  }

  feed(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#inString) at = this.#throughString(chunk, at)
      else if (this.#inScalar) at = this.#throughScalar(chunk, at)
      else at = this.#structure(chunk, at)
    }
  }

  /** The string at a path; nothing if it is none. */
  text(path: string): string | undefined {
    const value = this.values.get(path)
    return typeof value === 'string' ? value : undefined
  }

  #structure(chunk: Buffer, at: number): number {
    switch (chunk[at]) {
      case quote:
        this.#inString = true
        this.#begin(this.#atKey)
        return at + 1
      case openBrace:
      case openBracket:
        this.#enter(chunk[at] === openBracket)
        return at + 1
      case closeBrace:
      case closeBracket:
        this.#leave()
        return at + 1
      case comma:
        this.#next()
        return at + 1
      case colon:
        this.#atKey = false
        return at + 1
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return at + 1
      default:
        this.#inScalar = true
        this.#begin(false)
        return at
    }
  }

  /** Looks for quotes, and only then whether one is escaped: long strings have few of them. */
  #throughString(chunk: Buffer, from: number): number {
    const end = this.#endOfString(chunk, from)
    this.#keep(chunk, from, end === -1 ? chunk.length : end)
    if (end === -1) {
      this.#escaped = backslashesBefore(chunk, chunk.length, from, this.#escaped) % 2 === 1
      return chunk.length
    }
    this.#escaped = false
    this.#inString = false
    this.#finish((raw, isCut) => parseString(raw, isCut))
    return end + 1
  }

  #endOfString(chunk: Buffer, from: number): number {
    for (let at = chunk.indexOf(quote, from); at !== -1; at = chunk.indexOf(quote, at + 1))
      if (backslashesBefore(chunk, at, from, this.#escaped) % 2 === 0) return at
    return -1
  }

  #throughScalar(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && !endsScalar(chunk[at])) at++
    this.#keep(chunk, from, at)
    if (at === chunk.length) return at
    this.#inScalar = false
    this.#finish((raw) => parseScalar(raw))
    return at
  }

  #enter(isArray: boolean): void {
    if (this.#below > 0 || this.#frames.length === maxDepth) this.#below++
    else this.#frames.push({ isArray, key: '', index: 0 })
    this.#atKey = !isArray && this.#below === 0
  }

  #leave(): void {
    if (this.#below > 0) this.#below--
    else this.isComplete = this.#frames.pop() !== undefined && this.#frames.length === 0
    this.#atKey = false
  }

  #next(): void {
    const frame = this.#frames.at(-1)
    if (this.#below > 0 || frame === undefined) return
    if (frame.isArray) frame.index++
    else this.#atKey = true
  }

  #begin(isKey: boolean): void {
    this.#capture = undefined
    if (this.#below > 0 || this.#frames.length === 0) return
    if (isKey) this.#capture = { isKey, path: '', maxBytes: maxKeyBytes, pieces: [], length: 0 }
    else if (this.values.size < maxFields) {
      const maxBytes = this.#wanted(this.#path(true))
      if (maxBytes > 0) this.#capture = { isKey, path: this.#path(false), maxBytes, pieces: [], length: 0 }
    }
  }

  #path(anyItem: boolean): string {
    return this.#frames.map(({ isArray, key, index }) => (isArray ? (anyItem ? '*' : index) : key)).join('.')
  }

  /** Copied: the chunk may be as large as it likes, and is not held. */
  #keep(chunk: Buffer, from: number, to: number): void {
    const capture = this.#capture
    if (capture === undefined) return
    const room = capture.maxBytes - capture.length
    capture.length += to - from
    if (room > 0) capture.pieces.push(Buffer.from(chunk.subarray(from, Math.min(to, from + room))))
  }

  #finish(parse: (raw: Buffer, isCut: boolean) => string | number | boolean | null | undefined): void {
    const capture = this.#capture
    this.#capture = undefined
    if (capture === undefined) return
    const value = parse(Buffer.concat(capture.pieces), capture.length > capture.maxBytes)
    const frame = this.#frames.at(-1)
    if (capture.isKey && frame) frame.key = typeof value === 'string' ? value : ''
    else if (value !== undefined) this.values.set(capture.path, value)
  }
}

/** How many backslashes end at `at`; one more where the chunk before ended within an escape and all are. */
function backslashesBefore(chunk: Buffer, at: number, from: number, isEscaped: boolean): number {
  let start = at
  while (start > from && chunk[start - 1] === backslash) start--
  return at - start + (start === from && isEscaped ? 1 : 0)
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === 0x20 || byte === 0x0a
}

/** The bytes between two quotes. Where they were cut, an escape or a character may be cut too: it is left out. */
function parseString(raw: Buffer, isCut: boolean): string | undefined {
  const text = raw.toString('utf8')
  const whole = isCut ? text.replace(/\uFFFD+$/, '') : text
  // The longest escape is a pair of surrogates.
  for (let dropped = 0; dropped <= (isCut ? 12 : 0); dropped++) {
    try {
      const value: unknown = JSON.parse(`"${whole.slice(0, whole.length - dropped)}"`)
      return typeof value === 'string' ? value : undefined
    } catch {}
  }
  return undefined
}

function parseScalar(raw: Buffer): number | boolean | null | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString('latin1'))
    return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}
