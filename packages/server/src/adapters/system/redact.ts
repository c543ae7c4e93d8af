/** Takes secrets out of text before it is logged, wherever they stand. */
import { constants } from 'node:os'

/** What programs call `code` and is none that signs anybody in: names of errors. */
const errorCode = `(?:${Object.keys(constants.errno).join('|')}|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z]+)*)"`
/** The rest of a JSON string, up to the quote that ends it. */
const untilQuote = '(?:[^"\\\\]|\\\\.)+'

const patterns: [RegExp, string][] = [
  [/\bdork_[A-Za-z0-9_-]{16,}/g, 'dork_[redacted]'],
  // The credential of a session at the model gateway.
  [/\bdorkos-session-[A-Za-z0-9_-]{16,}/g, 'dorkos-session-[redacted]'],
  [/\bsk-[A-Za-z0-9_-]{16,}/g, 'sk-[redacted]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]'],
  [
    new RegExp(
      `("(?:authorization|x-api-key|cookie|set-cookie|secret|token|password|apiKey)"\\s*:\\s*")${untilQuote}(")`,
      'gi',
    ),
    '$1[redacted]$2',
  ],
  [new RegExp(`("code"\\s*:\\s*")(?!${errorCode})${untilQuote}(")`, 'g'), '$1[redacted]$2'],
  [/(#code=)[A-Za-z0-9_-]+/g, '$1[redacted]'],
]

export function redact(text: string): string {
  return patterns.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
}
