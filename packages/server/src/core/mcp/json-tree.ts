/** JSON with comments and trailing commas, read into nodes that know their line. Never throws. */

import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'

export type JsonNode = { line: number } & (
  | { kind: 'object'; members: JsonMember[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'value'; value: string | number | boolean | null }
)

export interface JsonMember {
  key: string
  line: number
  /** Undefined where the text breaks off. */
  node: JsonNode | undefined
}

interface JsonProblem {
  line: number
  column: number
  /** A sentence without a full stop: what was expected. */
  message: string
}

export interface JsonTree {
  root: JsonNode | undefined
  /** The first place where the text is not JSON. What could be read in spite of it is in `root`. */
  problem: JsonProblem | undefined
}

/** `wanted` keeps only what lies on these paths, so that a large file does not become a large tree. */
export function readJsonTree(text: string, wanted?: readonly (readonly string[])[]): JsonTree {
  if (text.trim() === '')
    return { root: undefined, problem: { line: 1, column: 1, message: 'the file is empty' } }
  // What is left out is not checked either, so only text that is JSON without a doubt may be left out.
  const builder = new TreeBuilder(wanted && isStrictJson(text) ? wanted : undefined)
  try {
    visit(text, builder, { allowTrailingComma: true })
  } catch {
    // The parser goes down one call for each level: a text of brackets alone ends its stack.
    return { root: undefined, problem: { line: 1, column: 1, message: 'it is nested too deeply' } }
  }
  return { root: builder.root, problem: builder.problem }
}

/** The value of a key. Of a key that stands there twice, the last: so does every JSON parser, the CLI's too. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key)?.node : undefined
}

export function nodeAt(node: JsonNode | undefined, path: readonly string[]): JsonNode | undefined {
  return path.reduce(memberOf, node)
}

/** Members whose key stands there again, further down: they count for nothing. */
export function repeatedMembers(node: JsonNode): JsonMember[] {
  if (node.kind !== 'object') return []
  const last = new Map(node.members.map((member) => [member.key, member]))
  return node.members.filter((member) => last.get(member.key) !== member)
}

/** The same for a value that did not come from text; every node has this line. */
export function toJsonNode(value: unknown, line: number): JsonNode {
  if (Array.isArray(value)) return { kind: 'array', line, items: value.map((item) => toJsonNode(item, line)) }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => ({ key, line, node: toJsonNode(item, line) }))
    return { kind: 'object', line, members }
  }
  const plain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return { kind: 'value', line, value: plain ? value : null }
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type Container = Extract<JsonNode, { kind: 'object' | 'array' }>

/** Its methods are called by the parser while it walks the text, without `this`. */
class TreeBuilder {
  root: JsonNode | undefined
  problem: JsonProblem | undefined
  #wanted: readonly (readonly string[])[] | undefined
  #open: Container[] = []
  #path: string[] = []

  constructor(wanted: readonly (readonly string[])[] | undefined) {
    this.#wanted = wanted
  }

  onObjectBegin = (_offset: number, _length: number, line: number) =>
    this.#begin({ kind: 'object', line: line + 1, members: [] })

  onArrayBegin = (_offset: number, _length: number, line: number) =>
    this.#begin({ kind: 'array', line: line + 1, items: [] })

  onObjectProperty = (key: string, _offset: number, _length: number, line: number) => {
    const object = this.#open.at(-1)
    if (object?.kind !== 'object') return
    object.members.push({ key, line: line + 1, node: undefined })
    this.#path[this.#open.length - 1] = key
  }

  onObjectEnd = () => {
    this.#open.pop()
  }

  onArrayEnd = () => {
    this.#open.pop()
  }

  onLiteralValue = (
    value: string | number | boolean | null,
    _offset: number,
    _length: number,
    line: number,
  ) => {
    this.#add({ kind: 'value', line: line + 1, value })
  }

  onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, character: number) => {
    this.problem ??= { line: line + 1, column: character + 1, message: inWords(printParseErrorCode(code)) }
  }

  #begin(node: Container): boolean {
    this.#add(node)
    this.#open.push(node)
    if (node.kind === 'array') this.#path[this.#open.length - 1] = ''
    return this.#isWanted(this.#path.slice(0, this.#open.length - 1))
  }

  #add(node: JsonNode): void {
    const parent = this.#open.at(-1)
    if (!parent) this.root ??= node
    else if (parent.kind === 'array') parent.items.push(node)
    else {
      const member = parent.members.at(-1)
      if (member) member.node ??= node
    }
  }

  /** On the way to a wanted path, or below one. */
  #isWanted(path: readonly string[]): boolean {
    if (!this.#wanted) return true
    return this.#wanted.some((one) => path.every((key, index) => index >= one.length || one[index] === key))
  }
}

const expectations: Record<string, string> = {
  InvalidSymbol: 'a value was expected; text needs double quotes',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a name in double quotes was expected',
  ValueExpected: 'a value was expected',
  ColonExpected: 'a colon was expected',
  CommaExpected: 'a comma was expected',
  CloseBraceExpected: 'a closing brace } was expected',
  CloseBracketExpected: 'a closing bracket ] was expected',
  EndOfFileExpected: 'the end of the file was expected',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text in quotes is not closed',
  UnexpectedEndOfNumber: 'a number is not complete',
}

/** The rest are faults inside a text in quotes. */
function inWords(code: string): string {
  return expectations[code] ?? 'a text in quotes holds something that JSON does not allow'
}
