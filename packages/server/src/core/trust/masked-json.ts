/** A JSON value as text for people: one member a line, in the order of the file, secrets masked. Pure. */

import type { JsonNode } from '../mcp/json-tree.ts'
import { MASK } from '../mcp/mask-entry.ts'
import { maskCommand, maskNamed, maskPair, maskWords } from './mask-text.ts'

export interface MaskedText {
  text: string
  /** What was masked, sealed, by where it stands. */
  secrets: Record<string, string>
}

const MAX_DEPTH = 64

export function maskedJson(node: JsonNode, seal: (value: string) => string): MaskedText {
  const secrets: Record<string, string> = {}
  const keep = (path: string[], value: string, masked: string): string => {
    if (masked !== value) secrets[path.join('.').slice(0, 200)] = seal(value)
    return JSON.stringify(masked)
  }
  const printItems = (items: JsonNode[], path: string[], indent: string): string[] => {
    // In a list of texts, such as arguments, one can say what the next one is.
    const words = items.map((item) =>
      item.kind === 'value' && typeof item.value === 'string' ? item.value : '',
    )
    const masked = maskWords(words)
    return items.map((item, index) => {
      const [word = '', shown = ''] = [words[index], masked[index]]
      const at = [...path, String(index)]
      return indent + (word === shown ? print(item, at, indent) : keep(at, word, shown))
    })
  }
  const print = (at: JsonNode, path: string[], indent: string): string => {
    if (path.length > MAX_DEPTH) return JSON.stringify(MASK)
    if (at.kind === 'value')
      return typeof at.value === 'string'
        ? keep(path, at.value, maskAt(path, at.value))
        : maskedScalar(path, at.value, keep)
    const inner = `${indent}  `
    const parts =
      at.kind === 'array'
        ? printItems(at.items, path, inner)
        : at.members.map(({ key, node: value }) => {
            const shown = value ? print(value, [...path, key], inner) : 'null'
            return `${inner}${JSON.stringify(key)}: ${shown}`
          })
    const [open, close] = at.kind === 'array' ? '[]' : '{}'
    return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`
  }
  return { text: print(node, [], ''), secrets }
}

/** Numbers and flags are plain, unless they stand where secrets do. */
function maskedScalar(
  path: string[],
  value: number | boolean | null,
  keep: (path: string[], value: string, masked: string) => string,
): string {
  return isPrivate(path) ? keep(path, String(value), MASK) : String(value)
}

function maskAt(path: string[], value: string): string {
  const name = path.findLast((key) => !/^\d+$/.test(key)) ?? 'value'
  return isPrivate(path) ? maskPair(value) : maskCommand(maskNamed(name, value))
}

/** Inside `env` and `headers` every value is private. */
function isPrivate(path: string[]): boolean {
  return path.slice(0, -1).some((key) => /^(env|headers)$/i.test(key))
}

/** The same for hashing: nothing left out, whatever the spacing and comments. */
export function exactJson(node: JsonNode): string {
  if (node.kind === 'value') return JSON.stringify(node.value)
  if (node.kind === 'array') return `[${node.items.map(exactJson).join(',')}]`
  const members = node.members.map(
    ({ key, node: value }) => `${JSON.stringify(key)}:${value ? exactJson(value) : ''}`,
  )
  return `{${members.join(',')}}`
}
