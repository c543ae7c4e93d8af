/** A command line in words, quotes and all, with the space before each: joined they are the line again. One pass. */

export interface SplitLine {
  words: { space: string; word: string }[]
  /** Space after the last word. */
  end: string
}

export function splitWords(text: string): SplitLine {
  const words: SplitLine['words'] = []
  /** Quotes that are not closed any more. */
  const open = new Set<string>()
  let at = 0
  for (;;) {
    const start = skip(text, at, true)
    if (start === text.length) return { words, end: text.slice(at) }
    const quote = text.charAt(start)
    let end = (quote === '"' || quote === "'") && !open.has(quote) ? closing(text, start, quote) : -1
    if (end === -1) {
      open.add(quote)
      end = skip(text, start, false)
    }
    words.push({ space: text.slice(at, start), word: text.slice(start, end) })
    at = end
  }
}

/** The first place from here on that is not space, or that is. */
function skip(text: string, from: number, overSpace: boolean): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at)) === overSpace) at++
  return at
}

/** The place after the closing quote, or -1. */
function closing(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === quote) return at + 1
    if (quote === '"' && text.charAt(at) === '\\') at++
  }
  return -1
}
