/**
 * What the CLI keeps in files of its own. An output that is too long for the model goes to `<session id>/tool-results/<name>` beside
 * the transcript, and the result says so; so does the original of a picture that an MCP server gave (seen with CLI 2.1.325). Pure.
 *
 * Of the path that is said only the session and the name are taken: where a session's files are is known without it, and a
 * transcript is written by whoever can write there.
 */
import { integer, list, record, text } from './untrusted.ts'

export interface SavedFile {
  /** The CLI's id of the session that kept it: a fork names its source. */
  sessionId: string
  /** Of the file: letters, digits, `.`, `_` and `-`. */
  name: string
}

export interface SavedOutput extends SavedFile {
  /** Of the whole output, where it is said; else about as many. */
  bytes: number | undefined
  /** The CLI kept only a beginning of it. */
  isCut: boolean
}

const path = String.raw`[/\\]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/\\]tool-results[/\\]([\w-](?:[\w.-]{0,198}[\w-])?)`
const savedPath = new RegExp(path)
/** `<persisted-output>`: any tool. `Error: result (…)`: an MCP server's. */
const note = new RegExp(
  `^(?:<persisted-output>\\nOutput [^\\n]*?\\bsaved to: |Error: result \\([^\\n]*?\\bOutput has been saved to )[^\\n]*?${path}`,
)
const pictureNote = new RegExp(`^\\[Image: source: [^\\n]*?${path}\\]$`)

/** Of a note, to its path. */
const maxNoteChars = 6000

/** Where the output of a call is, if not in its result. `detail`: what the tool itself returned. */
export function savedOutput(content: unknown, detail: unknown): SavedOutput | undefined {
  const words = noteOf(content)
  const found = words === undefined ? undefined : note.exec(words)
  if (words === undefined || !found) return undefined
  const { persistedOutputPath, persistedOutputSize } = record(detail)
  const file = fileOf(savedPath.exec(text(persistedOutputPath) ?? '')) ?? fileOf(found)
  return (
    file && {
      ...file,
      bytes: integer(persistedOutputSize) ?? saidBytes(words.slice(0, found[0].length)),
      isCut: /\bonly the first\b/.test(found[0]),
    }
  )
}

/** The original of the picture before this block. */
export function savedPicture(block: unknown): SavedFile | undefined {
  const { type, text: words } = record(block)
  return type === 'text' ? fileOf(pictureNote.exec(text(words)?.slice(0, maxNoteChars) ?? '')) : undefined
}

/** A note is all that there is in its result. */
function noteOf(content: unknown): string | undefined {
  const [only, second] = typeof content === 'string' ? [{ text: content }] : list(content)
  return second === undefined ? text(record(only).text)?.slice(0, maxNoteChars) : undefined
}

function fileOf(match: RegExpExecArray | null): SavedFile | undefined {
  const [, sessionId, name] = match ?? []
  return sessionId === undefined || name === undefined ? undefined : { sessionId, name }
}

const units: Record<string, number> = { bytes: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** `(39.1KB)`, `(200,000 characters …)`, `exceeded the 64MB persist limit`. */
function saidBytes(words: string): number | undefined {
  const [, characters] = /^Error: result \(([\d,]{1,20}) characters/.exec(words) ?? []
  if (characters !== undefined) return integer(Number(characters.replaceAll(',', '')))
  const [, count, unit = ''] = /(\d{1,6}(?:\.\d{1,3})?) ?(bytes|KB|MB|GB)\b/.exec(words) ?? []
  return count === undefined ? undefined : Math.round(Number(count) * (units[unit] ?? 1))
}
