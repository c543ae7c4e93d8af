/** From the text of a variable or a flag to a value of the key's type. What does not fit stays text, and fails the schema. */
import type { KeySchema } from './describe-schema.ts'

export function coerce(text: string, schema: KeySchema): unknown {
  const trimmed = text.trim()
  switch (schema.type) {
    case 'integer':
    case 'number':
      return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text
    case 'boolean':
      return toBoolean(trimmed) ?? text
    case 'array':
      return trimmed.startsWith('[') ? fromJson(trimmed, text) : toList(trimmed, schema.items)
    case 'object':
      return fromJson(trimmed, text)
    default:
      return text
  }
}

function toBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  return undefined
}

function toList(text: string, items: KeySchema = {}): unknown[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => coerce(part, items))
}

function fromJson(json: string, text: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return text
  }
}
