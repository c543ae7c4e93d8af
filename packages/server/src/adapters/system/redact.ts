/** Takes secrets out of text before it is logged, wherever they stand. */

const patterns: [RegExp, string][] = [
  [/\bdork_[A-Za-z0-9_-]{16,}/g, 'dork_[redacted]'],
  [/\bsk-[A-Za-z0-9_-]{16,}/g, 'sk-[redacted]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]'],
  [
    /("(?:authorization|x-api-key|cookie|set-cookie|secret|code|token|password|apiKey)"\s*:\s*")[^"]+(")/gi,
    '$1[redacted]$2',
  ],
  [/(#code=)[A-Za-z0-9_-]+/g, '$1[redacted]'],
]

export function redact(text: string): string {
  return patterns.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
}
