import { exactLine } from './escape.ts'

/** A command and its arguments as a person must see them: nothing unseen, and plain where each word begins and ends. */
export function shownArgv(argv: readonly string[]): string {
  return argv.map(shownWord).join(' ')
}

function shownWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return `'${exactLine(word).replaceAll("'", String.raw`'\''`)}'`
}
