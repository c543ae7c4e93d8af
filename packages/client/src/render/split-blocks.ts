/**
 * Cuts a growing text where nothing that comes later can change what came before: only the tail has to be read again.
 * The parts together are always the whole text.
 */
import { lexBlocks } from './lex-markdown.ts'

export interface Split {
  readonly text: string
  /** Parts that are done. Each holds one or more whole blocks. */
  readonly finished: readonly string[]
  readonly tail: string
}

export const emptySplit: Split = { text: '', finished: [], tail: '' }

/** A tail without an end is cut by force; only texts that are no prose get there. */
const maxTail = 64 * 1024

/** `before`: what this gave for the text as it was. A text that does not go on from there is split anew. */
export function splitBlocks(text: string, before: Split = emptySplit): Split {
  if (text === before.text) return before
  const from = text.startsWith(before.text) ? before : emptySplit
  let tail = from.tail + text.slice(from.text.length)
  const added: string[] = []
  for (let length = finishedLength(tail); length > 0; length = finishedLength(tail)) {
    added.push(tail.slice(0, length))
    tail = tail.slice(length)
  }
  return { text, finished: added.length === 0 ? from.finished : [...from.finished, ...added], tail }
}

/** How much of the beginning is done; 0 if nothing is yet. */
function finishedLength(tail: string): number {
  const fence = fenceLength(tail)
  if (fence !== undefined) return fence
  const length = blocksLength(tail)
  return length === 0 && tail.length > maxTail ? forcedLength(tail) : length
}

/** `(?!~)`: a run is tried whole, and not at every length, or a long one would be read once for each. */
const opening = /^(?:[ \t]*\n)* {0,3}(`{3,}(?=[^`\n]*\n)|~{3,}(?!~)(?=[^\n]*\n))[^\n]*\n/

/** Undefined if the tail does not begin with a code fence. No lexer for these: they get long. */
function fenceLength(tail: string): number | undefined {
  const open = opening.exec(tail)
  const mark = open?.[1]
  if (!open || mark === undefined) return undefined
  const closing = new RegExp(`\\n {0,3}${mark}[~\`]* *\\n`, 'g')
  closing.lastIndex = open[0].length - 1
  return closing.exec(tail) ? closing.lastIndex : 0
}

const blankLine = /\n[ \t]*\n/
const endsWithBlankLine = /\n[ \t]*\n[ \t\n]*$/

/** Blocks that a blank line and the begin of another block follow. */
function blocksLength(tail: string): number {
  const stable = tail.slice(0, stableLength(tail))
  if (!blankLine.test(stable)) return 0
  const tokens = lexBlocks(stable)
  const last = tokens.findLastIndex((token) => token.type !== 'space')
  let end = 0
  let cut = 0
  for (const [index, token] of tokens.entries()) {
    if (index > last) break
    if (index > 0 && endsWithBlankLine.test(stable.slice(Math.max(0, end - 200), end))) cut = end
    end += token.raw.length
  }
  return stable.slice(0, cut).trim() === '' ? 0 : cut
}

/** Whole lines; and a last one without an end if it begins with a letter: such a line begins nothing but a paragraph. */
function stableLength(tail: string): number {
  const lineStart = tail.lastIndexOf('\n') + 1
  return /^\p{L}/u.test(tail.slice(lineStart, lineStart + 2)) ? tail.length : lineStart
}

function forcedLength(tail: string): number {
  const newline = tail.lastIndexOf('\n', maxTail)
  if (newline > 0) return newline + 1
  const code = tail.charCodeAt(maxTail - 1)
  return code >= 0xd800 && code <= 0xdbff ? maxTail - 1 : maxTail
}
