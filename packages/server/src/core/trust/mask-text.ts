/** Texts for people, with what may be a secret masked. */
import type { McpEntry } from '../mcp/found-server.ts'
import { MASK, maskEntry } from '../mcp/mask-entry.ts'

/** One text: a line, an argument, a value. */
function maskValueText(text: string): string {
  const entry: McpEntry = { type: 'stdio', command: text, args: [], env: {} }
  return maskEntry(entry).command
}

/** A command line: by its words (`--token abc`, `-H "name: value"`), and as a whole. */
export function maskCommand(text: string): string {
  const words = [...text.matchAll(/(\s*)("(?:[^"\\]|\\.)*"|'[^']*'|\S+)/gs)]
  const end = /\s*$/.exec(text)?.[0] ?? ''
  const masked = maskWords(words.map(([, , word = '']) => unquoted(word)))
  const line = words.map(([, space = '', word = ''], at) => {
    const shown = masked[at] ?? MASK
    return space + (shown === unquoted(word) ? word : quoteOf(word) + shown + quoteOf(word))
  })
  return maskValueText(line.join('')) + (words.length > 0 ? end : text)
}

/** Words of which one can say what the next one is. */
export function maskWords(words: readonly string[]): string[] {
  const [command = '', ...args] = words
  const masked = maskEntry({ type: 'stdio', command, args, env: {} })
  return [masked.command, ...masked.args].slice(0, words.length)
}

const quoteOf = (word: string) => (/^(["']).*\1$/s.test(word) && word.length > 1 ? word.charAt(0) : '')
const unquoted = (word: string) => (quoteOf(word) === '' ? word : word.slice(1, -1))

/** The value of a variable or header, whatever it is called. A reference stays. */
export function maskPair(name: string, value: string): string {
  const entry: McpEntry = { type: 'stdio', command: '', args: [], env: { [name]: value } }
  return maskEntry(entry).env[name] ?? MASK
}

/** A value that belongs to a name, which may say that it is a secret. */
export function maskNamed(name: string, value: string): string {
  const start = `${name.replace(/[^\w.-]/g, '-') || 'value'}=`
  const masked = maskValueText(start + value)
  return masked.startsWith(start) ? masked.slice(start.length) : MASK
}

/** A file of lines. In one whose name says that it holds variables, every value is masked. */
export function maskLines(text: string, fileName: string): string {
  const variables = /(^|\.)env(\.|$)|credential|secret/i.test(fileName)
  return text
    .split('\n')
    .map((line) => {
      const [, indent = '', rest = ''] = /^(\s*(?:(?:export|set|const|let|var|-)\s+)?)(.*)$/s.exec(line) ?? []
      const pair = variables ? /^([\w.-]+\s*[=:]\s*)(.+)$/s.exec(rest) : undefined
      if (pair) return `${indent}${pair[1]}${MASK}`
      // An assignment with spaces around its sign is looked at as one without.
      const spaced = /^([\w.-]+)(\s+=\s*|\s*=\s+)(.*)$/s.exec(rest)
      if (spaced) return `${indent}${spaced[1]}${spaced[2]}${maskNamed(spaced[1] ?? '', spaced[3] ?? '')}`
      return indent + maskCommand(rest)
    })
    .join('\n')
}
