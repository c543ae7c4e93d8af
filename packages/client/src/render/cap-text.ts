/** How much of a text is drawn at first. What is huge would hold up the page. */

export interface CapLimits {
  lines: number
  characters: number
}

export const codeLimits: CapLimits = { lines: 2000, characters: 100_000 }

export interface CappedText {
  text: string
  cut: boolean
  /** Lines of `text`. */
  shownLines: number
  allLines: number
}

/** Cuts at a line end where there is one, else inside a line, never inside a character. */
export function capText(text: string, limits: CapLimits): CappedText {
  let lines = 1
  let end = text.length
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (lines === limits.lines && end === text.length) end = at
    lines += 1
  }
  if (end > limits.characters) {
    const lineEnd = text.lastIndexOf('\n', limits.characters)
    end = lineEnd > limits.characters / 2 ? lineEnd : whole(text, limits.characters)
  }
  const shown = end === text.length ? text : text.slice(0, end)
  return {
    text: shown,
    cut: end < text.length,
    shownLines: end === text.length ? lines : countLines(shown),
    allLines: lines,
  }
}

/** As `capText`, of its end: begins at a line where there is one. */
export function capTail(text: string, limits: CapLimits): CappedText {
  const allLines = countLines(text)
  let start = Math.max(0, text.length - limits.characters)
  if (start > 0) {
    const lineEnd = text.indexOf('\n', start)
    if (lineEnd >= 0 && lineEnd - start < limits.characters / 2) start = lineEnd + 1
    else if (isTrailing(text.charCodeAt(start))) start += 1
  }
  let shown = text.slice(start)
  for (let over = countLines(shown) - limits.lines; over > 0; over -= 1)
    shown = shown.slice(shown.indexOf('\n') + 1)
  return { text: shown, cut: shown.length < text.length, shownLines: countLines(shown), allLines }
}

const isTrailing = (code: number) => code >= 0xdc00 && code <= 0xdfff

function whole(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
