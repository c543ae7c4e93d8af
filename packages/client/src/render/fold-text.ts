/** A long text folded so that its beginning **and its end** stay in sight: what is dangerous likes to stand at the end. Pure. */
export interface Fold {
  head: string
  /** Empty when nothing is folded. */
  tail: string
  hiddenLines: number
  hiddenCharacters: number
}

const headLines = 14
const tailLines = 6
const headCharacters = 2500
const tailCharacters = 1000
/** Folding away less than this helps nobody. */
const leastLines = 6
const leastCharacters = 600

export function foldText(text: string): Fold {
  const lines = text.split('\n')
  const fitsLines = lines.length <= headLines + tailLines + leastLines
  const fitsCharacters = text.length <= headCharacters + tailCharacters + leastCharacters
  if (fitsLines && fitsCharacters) return { head: text, tail: '', hiddenLines: 0, hiddenCharacters: 0 }
  const headByLines = fitsLines ? text : lines.slice(0, headLines).join('\n')
  const tailByLines = fitsLines ? text : lines.slice(-tailLines).join('\n')
  const head = headByLines.slice(0, headCharacters)
  const tail = tailByLines.slice(-tailCharacters)
  const hidden = text.slice(head.length, text.length - tail.length)
  return { head, tail, hiddenLines: hidden.split('\n').length, hiddenCharacters: hidden.length }
}

export function lineCount(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}
