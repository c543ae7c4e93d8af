/**
 * Texts for somebody who decides whether they may run, with what may be a secret masked. What could be code, an address or an option is
 * never masked: a payload must not hide behind the name of a secret. Time grows with the length of a text only.
 */
import {
  isFlag,
  isReference,
  isSecretName,
  MASK,
  maskSegment,
  pairFlags,
  tokenForms,
} from '../mcp/mask-entry.ts'
import { splitWords } from './split-words.ts'

/** More than is ever shown of one text. */
const MAX_MASKED = 32 * 1024

/** A command line: by its words (`--token abc`, `-H "name: value"`), and as a whole. */
export function maskCommand(whole: string): string {
  const { words, end } = splitWords(cut(whole))
  const masked = wordsByPosition(words.map(({ word }) => unquoted(word)))
  const line = words.map(({ space, word }, at) => {
    const shown = masked[at] ?? MASK
    return space + (shown === unquoted(word) ? word : quoteOf(word) + shown + quoteOf(word))
  })
  return maskInside(line.join('') + end)
}

/** Words of which one can say what the next one is. */
export function maskWords(words: readonly string[]): string[] {
  return wordsByPosition(words.map(cut)).map((word) => maskInside(word))
}

const cut = (text: string) => (text.length > MAX_MASKED ? `${text.slice(0, MAX_MASKED)}…` : text)

const quoteOf = (word: string) =>
  /^["']/.test(word) && word.length > 1 && word.at(-1) === word[0] ? word.charAt(0) : ''
const unquoted = (word: string) => (quoteOf(word) === '' ? word : word.slice(1, -1))

function wordsByPosition(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const before = words[index - 1] ?? ''
    if (isFlag(before) && !before.includes('=')) {
      if (pairFlags.test(before)) return maskAssigned(word, true)
      if (isSecretName(before.replace(/^-+/, '')) && !isFlag(word)) return maskPlain(word)
    }
    const inline = /^(--(?:env|headers?)=|-[eH](?=[A-Za-z_]\w*=))(.+)$/s.exec(word)
    return inline ? `${inline[1]}${maskAssigned(inline[2] ?? '', true)}` : maskAssigned(word, false)
  })
}

/** The value of `KEY=value` or `Name: value`; of any name, or of those that say that they are secret. */
function maskAssigned(word: string, ofAny: boolean): string {
  const [, name = '', sign = '', value = ''] = /^([\w.-]+)(=|:\s*)(.*)$/s.exec(word) ?? []
  if (name === '' || !(ofAny || isSecretName(name.replace(/^-+/, '')))) return word
  const [, quote = '', inner = ''] = /^(["']?)(.*)\1$/s.exec(value) ?? []
  return `${name}${sign}${quote}${maskPlain(inner)}${quote}`
}

/** Passwords, and what is written in base64; nothing that a shell or a program would take for more than a value. */
const isPlain = (text: string) =>
  text.length <= 4096 &&
  /^(?:(?:Bearer|Basic|Token) +)?(?:[\w+=~][\w+/=~-]*|[\w+=~@!#%^][\w+=~@!#%^,:*?.-]*)$/.test(text)

/** Only the default of a reference can be a secret. */
function maskPlain(text: string): string {
  const [, name, byDefault = ''] = /^\$\{([A-Za-z_]\w*):-([^}]*)\}$/.exec(text) ?? []
  if (name !== undefined) return isPlain(byDefault) ? `\${${name}:-${MASK}}` : text
  return isPlain(text) ? MASK : text
}

/** Known forms of tokens, members of documents, and in addresses who signs in and parameters that say that they are secret. */
function maskInside(text: string): string {
  return text
    .replace(tokenForms, (found) => {
      const [, scheme, value = ''] = /^(Bearer\s+|Basic\s+)(.*)$/s.exec(found) ?? []
      if (scheme === undefined) return MASK
      const bare = value.replace(/["'].*$/s, '')
      return isPlain(bare) ? `${scheme}${MASK}${value.slice(bare.length)}` : found
    })
    .replace(
      /(?<![\w.-])([\w.-]+)(["']?\s*[:=]\s*)(["'])([^"']*)\3/g,
      (all, name: string, sign: string, quote: string, value: string) =>
        isSecretName(name) ? `${name}${sign}${quote}${maskPlain(value)}${quote}` : all,
    )
    .replace(/(?<![\w+.-])([A-Za-z][\w+.-]*:\/\/)([^\s/?#"']*)@/g, (all, scheme: string, user: string) =>
      /^[\w.~%:+!*-]+$/.test(user) ? `${scheme}${MASK}@` : all,
    )
    .replace(
      /(?<![\w+.-])([A-Za-z][\w+.-]*:\/\/[^\s/?#"']*)(\/[\w./~%-]*)/g,
      (_, origin: string, path: string) => `${origin}${path.split('/').map(maskSegment).join('/')}`,
    )
    .replace(/([?&#;])([^=?&#;\s]+)=([^&#;\s"']*)/g, (all, mark: string, name: string, value: string) =>
      isSecretName(decoded(name)) ? `${mark}${name}=${maskPlain(value)}` : all,
    )
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Text that a shell would run a part of. */
const hasShellSyntax = (text: string) => /\$\(|[`;|&]/.test(text)

/** The value of a variable or header, whatever it is called. A reference stays, and so does what a shell would run. */
export function maskPair(value: string): string {
  if (isReference(value) || /\$\(|`/.test(value)) return value
  const name = /^\$\{([A-Za-z_]\w*):-[^}]*\}$/.exec(value)?.[1]
  return name === undefined ? MASK : `\${${name}:-${MASK}}`
}

/** Names of settings that say `key` and hold a command. */
const ofCommands = /(?:helpers?|command|refresh|export)$/i

/** A value that belongs to a name, which may say that it is a secret. */
export function maskNamed(name: string, value: string): string {
  return isSecretName(name) && !ofCommands.test(name) ? maskPlain(value) : value
}

/** A file of lines. In one whose name says that it holds variables, every value is masked that is no more than one. */
export function maskLines(text: string, fileName: string): string {
  const variables = /(^|\.)env(\.|$)|credential|secret/i.test(fileName)
  return text
    .split('\n')
    .map((line) => {
      const [, indent = '', rest = ''] = /^(\s*(?:(?:export|set|const|let|var|-)\s+)?)(.*)$/s.exec(line) ?? []
      const pair = variables && !hasShellSyntax(rest) ? /^([\w.-]+\s*[=:]\s*)(.+)$/s.exec(rest) : undefined
      if (pair)
        return `${indent}${pair[1]}${isPlain(unquoted(pair[2] ?? '')) ? MASK : maskCommand(pair[2] ?? '')}`
      // An assignment with spaces around its sign is treated as one without.
      const [, name = '', sign = '', value = ''] = /^([\w.-]+)(\s+=\s*|\s*=\s+)(.*)$/s.exec(rest) ?? []
      if (name === '') return indent + maskCommand(rest)
      const quote = quoteOf(value)
      return `${indent}${name}${sign}${quote}${maskCommand(maskNamed(name, unquoted(value)))}${quote}`
    })
    .join('\n')
}
