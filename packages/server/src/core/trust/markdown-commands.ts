/** What an agent, skill or command would run: by its head, and to fill its text in. Pure. */
import type { SettingsCommand } from './settings-commands.ts'

/** What could be hooks or servers, also in the ways of YAML to write a key otherwise. */
const mayRun = /hooks|mcpServers|\\|<<|^[ \t-]*\?|[&*]\w/im

export function markdownCommands(text: string): SettingsCommand[] {
  const { head } = splitHead(text)
  return [
    ...(mayRun.test(head) ? headCommands(head) : simpleCommands(head)),
    ...[...text.matchAll(/```!([\s\S]*?)(?:```|$)/g), ...text.matchAll(/!`([^`]+)`/g)].map((match) => ({
      when: 'in its text',
      texts: [(match[1] ?? '').trim()],
    })),
  ]
}

/** The head goes up to the line that ends it. One that does not end is all of the text. */
export function splitHead(text: string): { head: string; body: string } {
  const start = /^\uFEFF?\s*---[^\S\n]*\n/.exec(text)?.[0]
  if (start === undefined) return { head: '', body: text }
  const rest = text.slice(start.length)
  const end = /^---[^\S\n]*$/m.exec(rest)
  return end
    ? { head: rest.slice(0, end.index), body: rest.slice(end.index + end[0].length) }
    : { head: rest, body: '' }
}

/** A head that is not simple throughout is shown as it is: another reader may find more in it than we do. */
function headCommands(head: string): SettingsCommand[] {
  const isSimple = !/mcpServers|\\/i.test(head) && linesOf(head).every(isSimpleLine)
  return isSimple ? simpleCommands(head) : [{ when: 'in its head', texts: [head.trim()] }]
}

const linesOf = (head: string) => head.split(/\r\n|[\r\n\u0085\u2028\u2029]/)

/** `key: value` with a value on the same line, or a key of what follows. Arguments must not be what follows. */
function isSimpleLine(line: string): boolean {
  if (/^\s*(?:#.*)?$/.test(line)) return true
  const [, key = '', value = ''] = /^\s*(?:-\s+)*([\w-]+):(?:\s+(.*))?$/.exec(line) ?? []
  if (key === '' || (value === '' && /^(?:command|args|prompt|url)$/i.test(key))) return false
  const rest = value.trim()
  return /^(?:"[^"\\]*"|'[^']*')$/.test(rest) || !/^[{[&*!|>%@`"'?#-]/.test(rest)
}

function simpleCommands(head: string): SettingsCommand[] {
  return linesOf(head).flatMap((line) => {
    const value = /^[ \t-]*"?(?:command|args)"?[ \t]*:[ \t]*(\S.*)$/.exec(line)?.[1]
    return value === undefined ? [] : [{ when: 'in its head', texts: [unquoted(value.trim())] }]
  })
}

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text
}
