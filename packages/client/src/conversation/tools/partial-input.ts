/** Reads JSON that is still being written: what came so far of an object, unfinished strings included. */
import { isRecord } from '@dorkos/shared'

type Fields = Readonly<Record<string, unknown>>

interface Scan {
  /** `{` and `[` that are open. */
  open: string[]
  /** Up to here the text is whole once `safeOpen` is closed. */
  safe: number
  safeOpen: readonly string[]
  inString: boolean
  isKey: boolean
  expectsKey: boolean
}

/** At most this much is read: a target stands at the beginning, and the work must not grow with what follows. */
const mostChars = 4096

/** The fields as far as they came; an empty object where nothing can be read. */
export function readPartialInput(json: string, most = mostChars): Fields {
  const text = json.slice(0, most)
  const scan = scanJson(text)
  const whole = scan.inString && !scan.isKey ? parse(`${dropEscape(text)}"`, scan.open) : undefined
  return whole ?? parse(text.slice(0, scan.safe), scan.safeOpen) ?? {}
}

function parse(text: string, open: readonly string[]): Fields | undefined {
  const closers = open.toReversed().map((bracket) => (bracket === '{' ? '}' : ']'))
  try {
    const value: unknown = JSON.parse(text + closers.join(''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Half an escape at the end cannot be shown yet. */
function dropEscape(text: string): string {
  const half = /(?:^|[^\\])(?:\\\\)*(\\(?:u[0-9a-fA-F]{0,3})?)$/.exec(text)?.[1] ?? ''
  return text.slice(0, text.length - half.length)
}

function scanJson(text: string): Scan {
  const scan: Scan = { open: [], safe: 0, safeOpen: [], inString: false, isKey: false, expectsKey: false }
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? ''
    if (!scan.inString) step(scan, character, index)
    else if (character === '\\') index += 1
    else if (character === '"') {
      scan.inString = false
      if (!scan.isKey) markSafe(scan, index + 1)
    }
  }
  return scan
}

function step(scan: Scan, character: string, index: number): void {
  switch (character) {
    case '"':
      scan.inString = true
      scan.isKey = scan.expectsKey
      return
    case '{':
    case '[':
      scan.open.push(character)
      scan.expectsKey = character === '{'
      return markSafe(scan, index + 1)
    case '}':
    case ']':
      scan.open.pop()
      return markSafe(scan, index + 1)
    case ',':
      markSafe(scan, index)
      scan.expectsKey = scan.open.at(-1) === '{'
      return
    case ':':
      scan.expectsKey = false
  }
}

function markSafe(scan: Scan, index: number): void {
  scan.safe = index
  scan.safeOpen = [...scan.open]
}
