/**
 * What is drawn of a text whose end has not come yet: open emphasis, code and links are closed, so that nothing jumps when their
 * ends arrive. Only for showing: the text itself stays as it is.
 */
import { maxInline } from './lex-markdown.ts'

export function completeTail(tail: string): string {
  if (isInFence(tail)) return tail
  const start = lastBlockStart(tail)
  const block = withoutLooseMark(tail.slice(start))
  const table = completeTable(block)
  return tail.slice(0, start) + (table ?? completeInline(block))
}

function isInFence(tail: string): boolean {
  let open: string | undefined
  for (const match of tail.matchAll(/^[ \t]*(?:(?:[-*+>]|\d+[.)]) [ \t]*)*(`{3,}|~{3,})[^\n]*$/gm)) {
    const mark = match[1] ?? ''
    if (open === undefined) open = mark
    else if (mark.startsWith(open)) open = undefined
  }
  return open !== undefined
}

/** After the last blank line, or the last line that begins a list item or a heading: emphasis does not reach beyond. */
function lastBlockStart(tail: string): number {
  const blank = Math.max(tail.lastIndexOf('\n\n') + 2, 0)
  let start = blank === 1 ? 0 : blank
  for (const match of tail.slice(start).matchAll(/\n[ \t]*(?=(?:[-*+]|\d+[.)]|#{1,6})[ \t]|[>|])/g)) {
    if (tail[start] !== '|') start = Math.max(start, blank + match.index + 1)
  }
  return Math.min(start, tail.length)
}

/** A last line of marks alone can still become a list, a rule, a heading's underline or a fence. */
function withoutLooseMark(block: string): string {
  return block
    .replace(/(^|\n)[ \t]*(?:-{1,2}|=+|\*{1,2}|_{1,2}|`{1,2}|~{1,2}|#{1,6}|[+>$]|\$\$|\\)$/, '$1')
    .replace(/\n$/, '')
}

/** A table shows as one from its first row on. */
function completeTable(block: string): string | undefined {
  const lines = block.split('\n')
  const header = lines[0] ?? ''
  if (lines.length > 2 || !header.startsWith('|') || !/[^\s|]/.test(header)) return undefined
  if (lines.length === 2 && !/^[\s|:-]*$/.test(lines[1] ?? '')) return undefined
  const cells = header
    .replace(/\\\|/g, '')
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split('|').length
  const closed = /\|\s*$/.test(header) ? header : `${header}|`
  const delimiters = (lines[1] ?? '').split('|').slice(1, -1)
  const row = Array.from({ length: cells }, (_, index) => {
    const given = delimiters[index]?.trim() ?? ''
    return /^:?-+:?$/.test(given) ? given : '---'
  })
  return `${closed}\n|${row.join('|')}|`
}

const marks =
  /\\.|(`+)|(\*{1,3}|_{1,3}|~~)|(!?\[)|\](\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*"?)?\)?)?/gs

interface Open {
  mark: string
  /** Where it stands, and where what it marks begins. */
  at: number
  end: number
}

function completeInline(block: string): string {
  if (block.length > maxInline) return block
  const open: Open[] = []
  let code: Open | undefined
  for (const match of block.matchAll(marks)) {
    const [whole, ticks, emphasis, bracket, target] = match
    const here = { mark: whole, at: match.index, end: match.index + whole.length }
    if (code) {
      if (ticks === code.mark) code = undefined
    } else if (ticks !== undefined) code = here
    else if (emphasis !== undefined) toggle(open, here, block)
    else if (bracket !== undefined) {
      if (beginsLink(block, here)) open.push(here)
    } else if (whole.startsWith(']')) {
      const opened = open.findLastIndex((one) => one.mark.endsWith('['))
      if (target !== undefined && !target.endsWith(')') && opened >= 0)
        return withoutLink(block, open, opened, here)
      if (opened >= 0) open.splice(opened)
    }
  }
  if (code) return code.end === block.trimEnd().length ? block.slice(0, code.at) : block + code.mark
  return closeAll(block, open)
}

function toggle(open: Open[], here: Open, block: string): void {
  const before = block[here.at - 1] ?? ' '
  const after = block[here.end] ?? ' '
  const opened = open.findLastIndex((one) => one.mark === here.mark)
  if (opened >= 0 && !/\s/.test(before)) open.splice(opened)
  else if (!/\w/.test(before) && (here.end === block.length || !/\s/.test(after))) open.push(here)
}

/** Not the bracket of `list[0` nor the box of a task. */
function beginsLink(block: string, here: Open): boolean {
  return (
    !/[\w\])]/.test(block[here.at - 1] ?? ' ') && !/^[ xX](?:\]|$)/.test(block.slice(here.end, here.end + 2))
  )
}

/** `[text](http://exam` → `text`, until the address is whole. */
function withoutLink(block: string, open: readonly Open[], index: number, end: Open): string {
  const bracket = open[index]
  if (!bracket) return block
  const shown = block.slice(0, bracket.at) + block.slice(bracket.end, end.at)
  return closeAll(shown, open.slice(0, index))
}

function closeAll(block: string, open: readonly Open[]): string {
  let shown = block
  const rest = [...open]
  // A mark at the very end has nothing to mark yet.
  for (let last = rest.at(-1); last && last.end >= shown.trimEnd().length; last = rest.at(-1)) {
    shown = shown.slice(0, last.at)
    rest.pop()
  }
  const brackets = rest.filter((one) => one.mark.endsWith('['))
  for (const bracket of brackets.toReversed()) shown = shown.slice(0, bracket.at) + shown.slice(bracket.end)
  const closing = rest.filter((one) => !one.mark.endsWith('[')).map((one) => one.mark)
  if (closing.length === 0) return shown
  return shown.trimEnd() + closing.toReversed().join('')
}
