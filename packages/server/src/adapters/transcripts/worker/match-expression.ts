/**
 * What people type → an expression of FTS5 that cannot be a syntax error, nor use its operators: every word must be there,
 * and the last may go on. Undefined when there is no word in it.
 */
export function matchExpression(text: string): string | undefined {
  const typed = text.slice(0, maxCharacters).normalize('NFC')
  const phrases = typed
    .split(/\s+/u)
    // What the tokenizer splits at becomes a space: `foo_bar` is found as two words in a row.
    .map(
      (word) =>
        word.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)?.filter((part) => /[\p{L}\p{N}\p{Co}]/u.test(part)) ?? [],
    )
    .filter((parts) => parts.length > 0)
    .slice(0, maxWords)
    .map((parts) => parts.join(' '))
  const last = phrases.pop()
  if (last === undefined) return undefined
  // One letter would match half of everything.
  const mayGoOn = last.length > 1 && /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(typed)
  return [...phrases.map(quoted), quoted(last) + (mayGoOn ? '*' : '')].join(' AND ')
}

const maxCharacters = 500
const maxWords = 20

function quoted(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`
}
