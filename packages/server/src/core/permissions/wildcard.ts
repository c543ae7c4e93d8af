/**
 * Whether `text` as a whole is `pattern`, in which each `*` stands for any number of characters that `mayCover` accepts.
 * Its time is bounded by the product of the lengths, whatever the pattern.
 */
export function matchesWildcard(
  pattern: string,
  text: string,
  mayCover: (character: string) => boolean = () => true,
): boolean {
  let at = 0
  let inPattern = 0
  /** The newest star, and the first character that it does not cover. Going back to older ones would gain nothing. */
  let star = -1
  let covered = 0
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++
      covered = at
    } else if (pattern[inPattern] === text[at]) {
      inPattern++
      at++
    } else {
      const next = text[covered]
      if (star < 0 || next === undefined || !mayCover(next)) return false
      at = ++covered
      inPattern = star + 1
    }
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}
