/** Which words of a command line may name a file. Pure. More than a shell would see is harmless; less is not. */

export interface CommandPlace {
  /** What `$CLAUDE_PROJECT_DIR` and `$PWD` stand for. */
  root: string
  ownerHome: string
}

const MAX_WORDS = 500

/** Words of one command, of which any may be a path. Undefined when there are too many to look at. */
export function commandWords(text: string, place: CommandPlace): string[] | undefined {
  const known = withVariables(text, place)
  const words = new Set<string>([known])
  for (const word of shellWords(known)) {
    words.add(word)
    const value = /^[^=]*=(.*)$/s.exec(word)?.[1]
    if (value !== undefined) words.add(value)
  }
  for (const piece of known.split(/[\s"'`;&|<>()=,:{}[\]$\\]+/)) words.add(piece)
  if (words.size > MAX_WORDS) return undefined
  return [...words]
    .map((word) => (word === '~' || word.startsWith('~/') ? place.ownerHome + word.slice(1) : word))
    .filter((word) => isPathLike(word))
}

function isPathLike(word: string): boolean {
  return word !== '' && word.length <= 4096 && !/[\0\n]/.test(word) && !/^\.{0,2}\/*$/.test(word)
}

function withVariables(text: string, { root, ownerHome }: CommandPlace): string {
  return text
    .replace(/\$\{(?:CLAUDE_PROJECT_DIR|PWD)(?::?[-=?+][^}]*)?\}|\$(?:CLAUDE_PROJECT_DIR|PWD)\b/g, () => root)
    .replace(/\$\(\s*pwd\s*\)|`\s*pwd\s*`/g, () => root)
    .replace(/\$\{HOME\}|\$HOME\b/g, () => ownerHome)
}

/** Quotes are taken off, so that `"$CLAUDE_PROJECT_DIR"/x.sh` is one word. */
function shellWords(text: string): string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (quote !== '') {
      if (char === quote) quote = ''
      else word += char
    } else if (char === '"' || char === "'") quote = char
    else if (char === '\\') word += text.charAt(++at)
    else if (/[\s;&|<>()]/.test(char)) {
      words.push(word)
      word = ''
    } else word += char
  }
  return [...words, word].filter((one) => one !== '')
}
