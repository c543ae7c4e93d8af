import { statSync } from 'node:fs'
import { resolve } from 'node:path'

const program = /\.(?:[cm]?[jt]s|py|rb|sh|jar)$/

export interface AbsoluteWords {
  words: string[]
  /** Those that were changed, as given and as they are now. */
  changed: { from: string; to: string }[]
}

/**
 * A server is started elsewhere than where it is added: a relative path of something that is here is made absolute. Words that
 * only might be one (`test`, `@scope/package`, `.`) stay as they are.
 */
export function absoluteWords(given: readonly string[], cwd: string): AbsoluteWords {
  const changed: AbsoluteWords['changed'] = []
  const words = given.map((word) => {
    const to = resolve(cwd, word)
    if (!isMeantHere(word, to)) return word
    changed.push({ from: word, to })
    return to
  })
  return { words, changed }
}

function isMeantHere(word: string, path: string): boolean {
  if (/^\.{1,2}\/./.test(word)) return kindOf(path) !== undefined
  const mayBe = /^[^-/@$~][^:]*$/.test(word) && (word.includes('/') || program.test(word))
  return mayBe && kindOf(path) === 'file'
}

function kindOf(path: string): 'file' | 'other' | undefined {
  try {
    return statSync(path).isFile() ? 'file' : 'other'
  } catch {
    return undefined
  }
}
