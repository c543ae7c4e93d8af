/**
 * Text of a tool, made ready to be compared line by line: descriptions are often one line of thousands of characters, and a plot to hide
 * something at its end must not work. Long lines are broken after sentences. What differs before differs after: the space stays at the end
 * of its line, and where there is no sentence to break after, a sign says so. Pure.
 */
const longLine = 200
const longestLine = 1000
const brokenSign = '↩'

export function diffableText(text: string): string {
  return text.split('\n').map(brokenLine).join('\n')
}

function brokenLine(line: string): string {
  if (line.length <= longLine) return line
  return line
    .split(/(?<=[.!?;:] )/)
    .flatMap((sentence) => pieces(sentence))
    .join('\n')
}

function pieces(sentence: string): string[] {
  const all: string[] = []
  for (let from = 0; from < sentence.length; from += longestLine) {
    const piece = sentence.slice(from, from + longestLine)
    all.push(from + longestLine < sentence.length ? `${piece}${brokenSign}` : piece)
  }
  return all
}
