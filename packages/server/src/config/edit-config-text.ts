/** Changes keys in the text of the file and leaves everything else, comments above all, as it is. */
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser'

export interface ConfigEdit {
  steps: readonly string[]
  /** Undefined takes the key out. */
  value: unknown
}

/** The text must be without faults. */
export function editConfigText(text: string, edits: readonly ConfigEdit[]): string {
  return edits.reduce(
    (edited, { steps, value }) =>
      value === undefined ? removeKey(edited, steps) : setKey(edited, steps, value),
    text.trim() === '' ? '{\n}\n' : text,
  )
}

function setKey(text: string, steps: readonly string[], value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol }
  return applyEdits(text, modify(text, [...steps], value, { formattingOptions }))
}

/** The parser's own removal takes the comments between this key and its neighbour away as well. */
function removeKey(text: string, steps: readonly string[]): string {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  const property = tree && findNodeAtLocation(tree, [...steps])?.parent
  if (!property) return text
  const end = property.offset + property.length
  const comma = commaAfter(text, end)
  const edits: Edit[] = [{ ...wholeLine(text, property, comma === end ? end + 1 : end), content: '' }]
  if (comma !== undefined && comma > end) edits.push({ offset: comma, length: 1, content: '' })
  return applyEdits(text, edits)
}

/** Where the comma after a property is; comments may stand between. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const found = scanner.getTokenOffset()
  return text[found] === ',' ? found : undefined
}

/** With its line, where nothing else stands on it. */
function wholeLine(text: string, property: Node, end: number): { offset: number; length: number } {
  const before = /(^|\n)[ \t]*$/.exec(text.slice(0, property.offset))
  const after = /^[ \t]*\r?\n/.exec(text.slice(end))
  if (!before || !after) return { offset: property.offset, length: end - property.offset }
  const start = before.index + (before[1] ?? '').length
  return { offset: start, length: end + after[0].length - start }
}
