/** The text of the configuration file: JSON with comments and trailing commas, with the location of each value in it. */

import {
  findNodeAtLocation,
  getNodePath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { ConfigFault } from './config-error.ts'

export interface ParsedText {
  /** The whole file as an object; empty where it could not be read as one. */
  value: Record<string, unknown>
  faults: ConfigFault[]
  /** `<file>:<line>:<column>` of a value, of its key with `key`, or of the nearest thing around it. */
  location(path: readonly PropertyKey[], key?: 'key'): string
}

export function parseConfigText(text: string, file: string): ParsedText {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })
  const locationAt = (offset: number) => `${file}:${lineAndColumn(text, offset)}`
  const faults = errors.map((error) => ({
    path: '',
    message: `the file is not JSON with comments here: ${inWords(error)}`,
    location: locationAt(error.offset),
  }))
  if (tree && tree.type !== 'object' && faults.length === 0) {
    faults.push({
      path: '',
      message: 'the file must hold one object: { … }',
      location: locationAt(tree.offset),
    })
  }
  if (tree) faults.push(...repeatedKeys(tree, locationAt))
  return {
    value: tree?.type === 'object' ? (toValue(tree) as Record<string, unknown>) : {},
    faults,
    location: (path, key) => locationAt(tree ? nearest(tree, path, key).offset : 0),
  }
}

/** `getNodeValue` of the parser would let a key `__proto__` replace the prototype. */
function toValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(toValue)
  if (node.type !== 'object') return node.value
  const value: Record<string, unknown> = {}
  for (const property of node.children ?? []) {
    const [key, inner] = property.children ?? []
    if (!key) continue
    const entry = inner ? toValue(inner) : undefined
    Object.defineProperty(value, String(key.value), {
      value: entry,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return value
}

function repeatedKeys(node: Node, locationAt: (offset: number) => string): ConfigFault[] {
  const seen = new Set<unknown>()
  return (node.children ?? []).flatMap((child) => {
    const deeper = repeatedKeys(child, locationAt)
    const key = node.type === 'object' ? child.children?.[0] : undefined
    if (!key) return deeper
    if (!seen.has(key.value)) {
      seen.add(key.value)
      return deeper
    }
    const path = getNodePath(child.children?.[1] ?? child).join('.')
    const message = `${path} stands here a second time; remove one of them`
    return [{ path, message, location: locationAt(key.offset) }, ...deeper]
  })
}

function nearest(tree: Node, path: readonly PropertyKey[], key?: 'key'): Node {
  const steps = path.filter((step): step is string | number => typeof step !== 'symbol')
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, steps.slice(0, length))
    if (!node) continue
    const whole = length === steps.length
    return key && whole && node.parent?.type === 'property' ? (node.parent.children?.[0] ?? node) : node
  }
  return tree
}

/** `InvalidSymbol` becomes `invalid symbol`. */
function inWords(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
