/** What the first and the last lines of a transcript say about its session. Pure. */
import { FirstPrompt, promptIn } from './first-prompt.ts'
import { isTrueAt, scanObject, stringAt } from './json-scan.ts'
import type { FileLine } from './line-reader.ts'
import { parseEntry, timeOf } from './transcript-entry.ts'

export interface TranscriptFacts {
  readonly isSidechain: boolean
  readonly entrypoint: string | undefined
  readonly cwd: string | undefined
  readonly createdAt: number | undefined
  /** Of the last entry that names one. */
  readonly gitBranch: string | undefined
  readonly firstPrompt: string | undefined
  /** A prompt without words. */
  readonly promptIsImage: boolean
  /** Empty when it was cleared. The CLI writes these again now and then, so the last lines are the ones to trust. */
  readonly titleInTail: string | undefined
  readonly titleInHead: string | undefined
  readonly aiTitle: string | undefined
  readonly summary: string | undefined
  readonly lastPrompt: string | undefined
  readonly tag: string | undefined
  /** Of the last message of the model in the tail. */
  readonly model: string | undefined
}

/** Finds the first prompt in lines that arrive in several instalments. */
export class PromptFinder {
  readonly #prompt = new FirstPrompt()
  #seen = 0

  /** True once the prompt is known for certain. `lines` may only grow from call to call. */
  scan(lines: readonly FileLine[]): boolean {
    for (; this.#seen < lines.length && !this.#prompt.isCertain; this.#seen++) {
      const line = lines[this.#seen]
      if (!line?.bytes?.includes('"user"')) continue
      const entry = parseEntry(line)
      if (entry !== undefined) this.#prompt.add(entry)
    }
    return this.#prompt.isCertain
  }

  get best() {
    return this.#prompt.best
  }
}

/** Pass the same lines twice where head and tail are one. */
export function transcriptFacts(head: readonly FileLine[], tail: readonly FileLine[]): TranscriptFacts {
  const prompts = new PromptFinder()
  prompts.scan(head)
  const prompt = prompts.best
  const headNotes = notesIn(head)
  const tailNotes = tail === head ? headNotes : notesIn(tail)
  return {
    ...envelope(head),
    gitBranch: lastBranch(tail) ?? lastBranch(head),
    firstPrompt: prompt?.rank === 3 ? undefined : prompt?.text,
    promptIsImage: prompt?.rank === 3,
    titleInTail: tailNotes['custom-title'],
    titleInHead: headNotes['custom-title'],
    aiTitle: tailNotes['ai-title'] || headNotes['ai-title'],
    summary: tailNotes.summary || headNotes.summary,
    lastPrompt: tailNotes['last-prompt'] || headNotes['last-prompt'],
    tag: tailNotes.tag ?? headNotes.tag,
    model: lastModel(tail),
  }
}

/** Facts about the whole session, from the first entries that state them. */
function envelope(head: readonly FileLine[]) {
  let isSidechain: boolean | undefined
  let entrypoint: string | undefined
  let cwd: string | undefined
  let createdAt: number | undefined
  for (const { bytes } of head) {
    const fields = bytes && scanObject(bytes)
    if (!bytes || !fields) continue
    if (fields.has('isSidechain')) isSidechain ??= isTrueAt(bytes, fields.get('isSidechain'))
    entrypoint ??= stringAt(bytes, fields.get('entrypoint'))
    cwd ??= stringAt(bytes, fields.get('cwd'))
    createdAt ??= timeOf({ timestamp: stringAt(bytes, fields.get('timestamp')) })
    if (isSidechain !== undefined && cwd !== undefined && createdAt !== undefined) break
  }
  return { isSidechain: isSidechain ?? false, entrypoint, cwd, createdAt }
}

const noteFields = {
  'custom-title': 'customTitle',
  'ai-title': 'aiTitle',
  'last-prompt': 'lastPrompt',
  summary: 'summary',
  tag: 'tag',
} as const
type NoteType = keyof typeof noteFields
const noteMarks = Object.keys(noteFields).map((type) => Buffer.from(`"${type}"`))

/** The last value of each kind of note. Lines that cannot be notes are not parsed. */
function notesIn(lines: readonly FileLine[]): Partial<Record<NoteType, string>> {
  const notes: Partial<Record<NoteType, string>> = {}
  for (const { bytes } of [...lines].reverse()) {
    if (bytes === undefined || !mayBeNote(bytes)) continue
    const fields = scanObject(bytes)
    const type = stringAt(bytes, fields?.get('type'))
    if (type === undefined || !isNoteType(type)) continue
    const value = stringAt(bytes, fields?.get(noteFields[type]))
    if (value !== undefined) notes[type] ??= value
  }
  return notes
}

/** Most lines are recognised by their first bytes, in the order that the CLI writes fields in; others are searched. */
function mayBeNote(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 48)
  if (start.startsWith('{"parentUuid":')) return false
  const type = /^\{"type":"([^"]*)"/.exec(start)?.[1]
  return type === undefined ? noteMarks.some((mark) => bytes.includes(mark)) : isNoteType(type)
}

function isNoteType(type: string): type is NoteType {
  return Object.hasOwn(noteFields, type)
}

function lastBranch(lines: readonly FileLine[]): string | undefined {
  for (const { bytes } of [...lines].reverse()) {
    if (!bytes?.includes('"gitBranch"')) continue
    const branch = stringAt(bytes, scanObject(bytes)?.get('gitBranch'))
    if (branch) return branch
  }
  return undefined
}

function lastModel(lines: readonly FileLine[]): string | undefined {
  for (const { bytes } of [...lines].reverse()) {
    if (!bytes?.includes('"assistant"')) continue
    const fields = scanObject(bytes)
    const message = fields?.get('message')
    if (stringAt(bytes, fields?.get('type')) !== 'assistant' || message === undefined) continue
    const model = modelOf(stringAt(bytes, scanObject(bytes, message.start)?.get('model')))
    if (model !== undefined && !isTrueAt(bytes, fields?.get('isSidechain'))) return model
  }
  return undefined
}

/** What the CLI says in the model's place, such as errors, names no model. */
export function modelOf(name: string | undefined): string | undefined {
  return name === '' || name === '<synthetic>' ? undefined : name
}

/** When a person last wrote, as far as these lines show. */
export function lastPromptTime(tail: readonly FileLine[]): number | undefined {
  for (const line of [...tail].reverse()) {
    if (!line.bytes?.includes('"user"')) continue
    const entry = parseEntry(line)
    if (entry !== undefined && promptIn(entry) !== undefined) return timeOf(entry)
  }
  return undefined
}
