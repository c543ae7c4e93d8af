/** Which words of a command line may name a file. Pure. More than a shell would see is harmless; less is not. */

export interface CommandFolders {
  /** What `$CLAUDE_PROJECT_DIR` and `$PWD` stand for. */
  root: string
  ownerHome: string
}

const MAX_WORDS = 500

/** Words of one command, of which any may be a path. Undefined when there are too many to check. */
export function commandWords(text: string, folders: CommandFolders): string[] | undefined {
  const known = withVariables(text, folders)
  const words = new Set<string>([known])
  for (const word of shellWords(known)) {
    words.add(word)
    const value = /^[^=]*=(.*)$/s.exec(word)?.[1]
    if (value !== undefined) words.add(value)
  }
  // What a variable stands for we do not know: what follows it may be a path in the workspace, and so may its default.
  const bare = known.replace(/\$\w+/g, ' ')
  for (const part of bare === known ? [known, text] : [known, text, bare])
    for (const piece of part.split(/[\s"'`;&|<>()=,:{}[\]$\\]+/)) {
      words.add(piece)
      words.add(piece.replace(/^[-=?+%#@^]+/, ''))
    }
  if (words.size > MAX_WORDS) return undefined
  return [...words]
    .map((word) => (word === '~' || word.startsWith('~/') ? folders.ownerHome + word.slice(1) : word))
    .filter((word) => isPathLike(word))
}

const scripts = /\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|fish|rb|pl|php|lua|awk|jar|exe|ps1)$/i

/**
 * How likely a word that names nothing yet is meant for a file: surely (`./x`, `x.sh`, what begins with the root), or where its
 * folder is there (`bin/x`). Addresses, packages, patterns and whole command lines are not.
 */
export function isMeantForFile(word: string, root: string): 'yes' | 'in a folder' | 'no' {
  const fromRoot = word.startsWith(`${root}/`)
  const rest = fromRoot ? word.slice(root.length) : word
  if (!/^[\w./+,%~@ -]+$/.test(rest) || /^[-@]|^\/\/|\s[-/.]/.test(rest)) return 'no'
  const isHere = fromRoot || /^\.{1,2}\//.test(rest)
  if (/\s/.test(rest)) return isHere && scripts.test(rest) && !/\.\w+\s/.test(rest) ? 'yes' : 'no'
  if (isHere || scripts.test(rest)) return 'yes'
  return rest.includes('/') ? 'in a folder' : 'no'
}

export const isScriptName = (path: string) => scripts.test(path)

function isPathLike(word: string): boolean {
  return word !== '' && word.length <= 4096 && !/[\0\n]/.test(word) && !/^\.{0,2}\/*$/.test(word)
}

function withVariables(text: string, { root, ownerHome }: CommandFolders): string {
  return text
    .replace(/\$\{(?:CLAUDE_PROJECT_DIR|PWD)(?![\w])[^}]*\}|\$(?:CLAUDE_PROJECT_DIR|PWD)\b/g, () => root)
    .replace(/\$\(\s*pwd(?: -[LP])?\s*\)|`\s*pwd(?: -[LP])?\s*`/g, () => root)
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
