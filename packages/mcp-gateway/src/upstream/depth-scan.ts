/** How deeply JSON is nested, found without parsing it: a parser takes seconds for a few megabytes of brackets. */

/** More than any server means; what is deeper than a call may have, but not by this much, is refused with a sentence of its own. */
const mostLevels = 10_000

const quote = 0x22
const backslash = 0x5c
const newline = 0x0a

export class DepthScan {
  #depth = 0
  #isInString = false
  #isEscaped = false

  /** Whether what was pushed so far is too deep. JSON is taken for granted: what is none means nothing to us anyway. */
  push(bytes: Uint8Array): boolean {
    let depth = this.#depth
    let isInString = this.#isInString
    let isEscaped = this.#isEscaped
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        // No string goes over the end of a line.
        else if (byte === quote || byte === newline) isInString = false
      } else if (byte === quote) isInString = true
      // `[` and `{`, `]` and `}`: they differ in one bit.
      else if (byte !== undefined && (byte | 0x20) === 0x7b) {
        depth += 1
        if (depth > mostLevels) return true
      } else if (byte !== undefined && (byte | 0x20) === 0x7d && depth > 0) depth -= 1
    }
    this.#depth = depth
    this.#isInString = isInString
    this.#isEscaped = isEscaped
    return false
  }

  /** What comes next is another text. */
  reset(): void {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
  }
}

/** Of a whole text. */
export function isNestedTooDeeply(text: string): boolean {
  return text.length > mostLevels && new DepthScan().push(Buffer.from(text))
}
