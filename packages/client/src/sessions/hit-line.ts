/** A place in a conversation in one line: plain words that begin shortly before what was looked for. Pure. */
import { type HitPart, markHits } from './mark-hits.ts'

/** So much stands before the hit that it is in sight on a phone too. */
const mostBefore = 20

export function hitLine(snippet: string, query: string): HitPart[] {
  const plain = markHits(oneLine(withoutMarkdown(snippet)), query)
  // What was looked for can be in what Markdown hides, such as an address.
  const parts = plain.some(({ hit }) => hit) ? plain : markHits(oneLine(snippet), query)
  const [first, ...rest] = parts
  if (!first || first.hit || rest.length === 0 || first.text.length <= mostBefore) return parts
  return [{ text: `…${endOf(first.text)}`, hit: false }, ...rest]
}

/** Whole words, where one ends near enough. */
function endOf(text: string): string {
  const end = text.slice(-mostBefore)
  const space = end.slice(0, -1).indexOf(' ')
  if (space >= 0) return end.slice(space + 1)
  return end.replace(/^[\udc00-\udfff]/, '')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Takes away what only gives form. What may be code, such as `a * b` or `src/**`, stays. */
function withoutMarkdown(text: string): string {
  return text
    .replace(/^ {0,3}```\w*$/gm, '')
    .replace(/^ {0,3}(?:#{1,6}|>+|[-*+]) /gm, '')
    .replace(/^\s*\|.*$/gm, (row) => row.replace(/\|(?:\s*:?-+:?\s*\|)*/g, ' '))
    .replace(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replace(/`+/g, '')
    .replace(/(?<=^|[\s(])(?:\*{1,3}|~~)(?=[\p{L}\p{N}])/gmu, '')
    .replace(/(?<=[\p{L}\p{N}.,:!?)])(?:\*{1,3}|~~)(?=$|[\s).,:;!?…])/gmu, '')
}
