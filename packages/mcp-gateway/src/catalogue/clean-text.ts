/**
 * Text of a server as a person or model may see it: without characters that show nothing or change how others are read. Control and
 * format characters (zero-width, direction, tags), whatever Unicode lets a reader ignore (variation selectors, fillers), private use,
 * lone surrogates and noncharacters.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{DI}\p{NChar}\u2028\u2029\u2800]/u
const EVERY_HIDDEN = new RegExp(`\\r\\n|${HIDDEN.source}`, 'gu')

/** Line breaks of every kind become `\n`; tabs stay; all else that is hidden goes. */
export function cleanText(text: string): string {
  return HIDDEN.test(text) ? text.replace(EVERY_HIDDEN, visible) : text
}

/** In one line: line breaks and tabs become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/[\n\t]+/g, ' ')
}

/** Line breaks and tabs count: for names, keys and addresses, which are refused rather than repaired. */
export function hasHiddenCharacters(text: string): boolean {
  return HIDDEN.test(text)
}

/** At most so many UTF-16 code units, the last of them an ellipsis where something was cut; never half a character. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 2)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, maxLength - (isHalf ? 2 : 1))}…`
}

function visible(hidden: string): string {
  if (hidden === '\n' || hidden === '\t') return hidden
  return /^[\r\u0085\u2028\u2029]/.test(hidden) ? '\n' : ''
}
