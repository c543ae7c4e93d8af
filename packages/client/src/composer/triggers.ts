/** What is being typed: a command at the start of the message, the mention of a file, or something to remember. */

export interface CommandTrigger {
  readonly kind: 'command'
  readonly query: string
  /** From the slash to the end of the name. */
  readonly start: number
  readonly end: number
}

export interface MentionTrigger {
  readonly kind: 'mention'
  readonly query: string
  /** From the at sign to the end of the path, with its quotes. */
  readonly start: number
  readonly end: number
}

/** A message of one line that begins with `#`: all of it is to be remembered. */
interface MemoryTrigger {
  readonly kind: 'memory'
  /** There is nothing to search for. */
  readonly query: ''
  readonly start: 0
  readonly end: number
}

export type Trigger = CommandTrigger | MentionTrigger | MemoryTrigger

/** What the caret stands in, if it opens a list. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  return (
    commandAt(text, caret) ?? quotedMentionAt(text, caret) ?? mentionAt(text, caret) ?? memoryAt(text, caret)
  )
}

function commandAt(text: string, caret: number): CommandTrigger | undefined {
  if (!text.startsWith('/')) return undefined
  const end = wordEnd(text, 1)
  if (caret < 1 || caret > end) return undefined
  const query = text.slice(1, caret)
  // A path, such as /etc/hosts, is no command.
  if (query.includes('/')) return undefined
  return { kind: 'command', query, start: 0, end }
}

function quotedMentionAt(text: string, caret: number): MentionTrigger | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1
  const found = /(?:^|\s)@"([^"]*)$/.exec(text.slice(lineStart, caret))
  if (!found) return undefined
  const query = found[1] ?? ''
  const start = caret - query.length - 2
  const rest = /^[^"\n]*"?/.exec(text.slice(caret))?.[0] ?? ''
  // Without a closing quote the mention ends at the caret: what follows is other text.
  return { kind: 'mention', query, start, end: rest.endsWith('"') ? caret + rest.length : caret }
}

function mentionAt(text: string, caret: number): MentionTrigger | undefined {
  const found = /(?:^|\s)@([^\s"@]*)$/.exec(text.slice(Math.max(0, caret - 1000), caret))
  if (!found) return undefined
  const query = found[1] ?? ''
  return { kind: 'mention', query, start: caret - query.length - 1, end: wordEnd(text, caret) }
}

/** A smaller heading, the number of an issue and the first line of a script are no notes. */
function memoryAt(text: string, caret: number): MemoryTrigger | undefined {
  return caret > 0 && /^#(?![#!\d]).*$/.test(text)
    ? { kind: 'memory', query: '', start: 0, end: text.length }
    : undefined
}

function wordEnd(text: string, from: number): number {
  const found = /\s/.exec(text.slice(from))
  return found ? from + found.index : text.length
}

export interface Edited {
  readonly text: string
  readonly caret: number
}

/** The command's name in place of what was typed, ready for its arguments. */
export function insertCommand(text: string, { start, end }: CommandTrigger, name: string): Edited {
  return replaced(text, start, end, `/${name}`, true)
}

/** The path in place of what was typed. A directory stays open, so that one can go on into it. */
export function insertMention(
  text: string,
  { start, end }: MentionTrigger,
  path: string,
  kind: 'file' | 'directory',
): Edited {
  const isDirectory = kind === 'directory'
  const whole = isDirectory && !path.endsWith('/') ? `${path}/` : path
  if (!needsQuotes(whole)) return replaced(text, start, end, `@${whole}`, !isDirectory)
  if (!isDirectory) return replaced(text, start, end, `@"${whole}"`, true)
  const edited = replaced(text, start, end, `@"${whole}"`, false)
  return { text: edited.text, caret: edited.caret - 1 }
}

/** A request to the agent in place of the whole message, which goes on with what was noted. */
export function insertMemory(text: string, request: (note: string) => string): Edited {
  const asked = request(text.slice(1).trim())
  return { text: asked, caret: asked.length }
}

/** The CLI takes a path with spaces in double quotes, and ends an unquoted one at the first space. */
function needsQuotes(path: string): boolean {
  return /[\s,;!?'()[\]{}<>]/.test(path)
}

/** The CLI has no way to name a path with a double quote in it. What leads out of the directory is not for us to propose. */
export function canBeMentioned(path: string): boolean {
  return !/["\n\r]/.test(path) && !/^[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)
}

function replaced(text: string, start: number, end: number, word: string, spaceAfter: boolean): Edited {
  const rest = text.slice(end)
  const space = spaceAfter && !/^[ \t]/.test(rest) ? ' ' : ''
  const before = `${text.slice(0, start)}${word}${space}`
  return { text: before + rest, caret: before.length + (spaceAfter && space === '' ? 1 : 0) }
}
