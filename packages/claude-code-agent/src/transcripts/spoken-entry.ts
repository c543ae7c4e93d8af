/** Transcript entries as far as they hold what was said, found in their bytes without decoding the rest. */
import type { FileHandle } from 'node:fs/promises'
import { isTrueAt, type Span, scanArray, scanObject, stringAt } from './json-scan.ts'
import type { FileLine } from './line-reader.ts'
import { scanLine } from './long-line.ts'

/** Of one block in a line that is too long to be held. */
const maxTextBytes = 1024 * 1024

/** The fields of an entry that count, however they were found. */
export interface SpokenEntry {
  /** A field of the entry, of its `message` or of its `attachment`: a string with something in it. */
  text(path: string): string | undefined
  isTrue(name: string): boolean
  /** `message.content` or `attachment.prompt`: a string, or its blocks. */
  blocks(path: string): { type: string | undefined; text: string | undefined }[]
}

/** Nothing for what is no whole object, and for what says nothing. */
export async function spokenEntry(handle: FileHandle, line: FileLine): Promise<SpokenEntry | undefined> {
  if (line.bytes === undefined) return await longEntry(handle, line)
  return saysNothing(line.bytes) ? undefined : entryIn(line.bytes)
}

const note = /^\{"type":"(?!(?:user|assistant|attachment)")/
const subagent = /^\{"parentUuid":(?:null|"[^"]*"),"isSidechain":true,/
const fromUser = /^\{"parentUuid":(?:null|"[^"]*"),"isSidechain":false,(?:"promptId":"[^"]*",)?"type":"user",/
const attached =
  /^\{"parentUuid":(?:null|"[^"]*"),"isSidechain":false,"attachment":\{"type":"(?!queued_command")/

/**
 * Recognises most lines by their first bytes, in the order that the CLI writes fields in: of a tool's result nothing else is
 * read. Lines in another order are gone through.
 */
function saysNothing(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 300)
  if (note.test(start) || subagent.test(start) || attached.test(start)) return true
  return fromUser.test(start) && bytes.includes('"type":"tool_result"')
}

function entryIn(bytes: Buffer): SpokenEntry | undefined {
  const top = scanObject(bytes)
  if (top === undefined) return undefined
  const inner = new Map<string, Map<string, Span> | undefined>()
  const spanOf = (path: string): Span | undefined => {
    const [name = '', field] = path.split('.')
    const span = top.get(name)
    if (field === undefined || span === undefined) return span
    if (!inner.has(name)) inner.set(name, scanObject(bytes, span.start))
    return inner.get(name)?.get(field)
  }
  return {
    text: (path) => stringAt(bytes, spanOf(path)) || undefined,
    isTrue: (name) => isTrueAt(bytes, top.get(name)),
    blocks: (path) => {
      const span = spanOf(path)
      if (span === undefined) return []
      const plain = stringAt(bytes, span)
      if (plain !== undefined) return [{ type: 'text', text: plain }]
      return scanArray(bytes, span.start).map((item) => {
        const block = scanObject(bytes, item.start)
        const type = stringAt(bytes, block?.get('type'))
        return { type, text: type === 'text' ? stringAt(bytes, block?.get('text')) : undefined }
      })
    },
  }
}

const texts = ['message.content', 'attachment.prompt']
const nameFields =
  /^(uuid|type|timestamp|is\w+|message\.(id|model)|attachment\.(type|source_uuid|commandMode)|(message\.content|attachment\.prompt)\.\*\.type)$/

function wantedForText(path: string): number {
  if (nameFields.test(path)) return 300
  return texts.some((text) => path === text || path === `${text}.*.text`) ? maxTextBytes : 0
}

async function longEntry(handle: FileHandle, line: FileLine): Promise<SpokenEntry | undefined> {
  const scanner = await scanLine(handle, line, wantedForText)
  if (!scanner.isComplete) return undefined
  return {
    text: (path) => scanner.text(path) || undefined,
    isTrue: (name) => scanner.values.get(name) === true,
    blocks: (path) => {
      const plain = scanner.text(path)
      if (plain !== undefined) return [{ type: 'text', text: plain }]
      const types = [...scanner.values.keys()].filter(
        (key) => key.startsWith(`${path}.`) && key.endsWith('.type'),
      )
      return types.map((key) => {
        const type = scanner.text(key)
        return { type, text: type === 'text' ? scanner.text(key.replace(/type$/, 'text')) : undefined }
      })
    },
  }
}
