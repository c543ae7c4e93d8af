/**
 * Text of agents, tools and files is hostile: printed as it is, it could move the cursor, change what is on the screen, or
 * look like another command than it is. What is escaped here shows as `\u{…}`.
 */

/** Control characters but newline and tab; marks that change the direction of text; separators that only look like a line's end. */
const controls = /[^\P{Cc}\n\t]|\p{Cs}|\p{Bidi_Control}|[\u2028\u2029]/gu

/** Besides those, all that takes no room or looks like a space: it hides words, or makes two texts look alike. */
const hidden = /[^\P{C}\n\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}/gu

/** For what an agent says. Lines and tabs stay; emoji, and scripts that need joiners, look as they should. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controls, visible)
}

/** For what a person decides about: nothing in it stays unseen. Lines and tabs stay. */
export function exactText(text: string): string {
  return text.replace(hidden, visible)
}

/** The same on one line: line ends and tabs are shown too. */
export function exactLine(text: string): string {
  return exactText(text).replaceAll('\n', '\\u{a}').replaceAll('\t', '\\u{9}')
}

/** In a text, or in any text of a value. Its JSON would not show it: control characters are escaped there. */
export function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return value.search(hidden) !== -1
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, part]) => hasHidden(key) || hasHidden(part))
}

/** One line of at most `width` columns, for lists and headings. */
export function oneLine(text: string, width = Number.POSITIVE_INFINITY): string {
  return fit(safeText(text).replace(/\s+/g, ' ').trim(), width)
}

/** JSON on one line (unless `space` is given), with what a terminal could act on escaped; still JSON, and the same value. */
export function safeJson(value: unknown, space?: number): string {
  return JSON.stringify(value, undefined, space).replace(hidden, jsonEscape)
}

/** Cut to `width` columns, with an ellipsis where something is missing. */
export function fit(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let used = 0
  let kept = ''
  for (const character of text) {
    const columns = displayWidth(character)
    if (used + columns > width - 1) break
    used += columns
    kept += character
  }
  return `${kept}…`
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const narrow = /[\p{M}\p{Cf}]/u

/** Columns on a terminal, near enough for tables. */
export function displayWidth(text: string): number {
  let columns = 0
  for (const character of text) columns += narrow.test(character) ? 0 : wide.test(character) ? 2 : 1
  return columns
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

function jsonEscape(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('')
}
