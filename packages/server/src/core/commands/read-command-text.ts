/** What the head of a command or a skill says about it, read as the CLI does (seen with 2.1.325). Pure; anybody may have written it. */
import { splitHead } from '../trust/markdown-commands.ts'

export interface CommandText {
  /** A skill's own name. */
  name: string | undefined
  description: string
  argumentHint: string
  /** Only the model may use it. */
  isHidden: boolean
}

const maxDescription = 2000
const maxFirstLine = 100

export function readCommandText(text: string): CommandText {
  const { head, body } = splitHead(text)
  const field = (key: string) => fieldOf(head, key)
  return {
    name: field('name')?.slice(0, 200),
    description: (field('description') ?? firstLine(body)).slice(0, maxDescription),
    argumentHint: (field('argument-hint') ?? '').slice(0, 200),
    isHidden: field('user-invocable')?.toLowerCase() === 'false',
  }
}

/** On one line, also where it was written over several. Undefined where it is empty. */
function fieldOf(head: string, key: string): string | undefined {
  const lines = head.split(/\r\n|\r|\n/)
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  if (at === -1) return undefined
  const first = (lines[at] ?? '').slice(key.length + 1).trim()
  const after = lines.slice(at + 1)
  const end = after.findIndex((line) => /^\S/.test(line))
  const more = end === -1 ? after : after.slice(0, end)
  const isBlock = /^[>|][+-]?\d?[+-]?$/.test(first)
  const value = [...(isBlock ? [] : [first]), ...more].join(' ').replace(/\s+/g, ' ').trim()
  return (isBlock ? value : unquoted(value)) || undefined
}

/** Without quotes and what stands behind ` #`. */
function unquoted(value: string): string {
  const single = /^'((?:[^']|'')*)'/.exec(value)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'")
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1]
  if (double !== undefined) return double.replace(/\\(.)/g, '$1')
  return value.replace(/(?:^|\s)#.*$/, '')
}

/** A heading without its marks. */
function firstLine(body: string): string {
  const line = body.split(/\r\n|\r|\n/).find((one) => one.trim() !== '') ?? ''
  const plain = line.trim().replace(/^#+\s+/, '')
  return plain.length > maxFirstLine ? `${plain.slice(0, maxFirstLine - 3)}...` : plain
}
