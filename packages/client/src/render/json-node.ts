/** What a JSON value is called and how it is drawn: decided here, without a DOM. */

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'other'

export function jsonKind(value: unknown): JsonKind {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  if (type === 'object' || type === 'string' || type === 'number' || type === 'boolean') return type
  return 'other'
}

export function jsonEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Undefined if the text is not JSON, or only a bare word or figure, which reads better as text. */
export function parseJson(text: string): unknown {
  const start = text.trimStart()[0]
  if ((start !== '{' && start !== '[') || text.length > maxParsed) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const maxParsed = 2_000_000

/** For the clipboard. A value that holds itself gives nothing. */
export function jsonText(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? ''
  } catch {
    return ''
  }
}
