/** What an entry of a transcript holds, whole: its texts and pictures in order, as the tool gave them where the CLI kept that. */
import { isRecord, type Saying, say } from '@dorkos/shared'
import { type SavedFile, savedOutput, savedPicture } from '../event-map/saved-output.ts'
import { list, record, text } from '../event-map/untrusted.ts'
import type { ByteSource } from '../ports/transcripts.ts'
import { allBytes, bufferSource, joinedSource } from './byte-source.ts'
import { type PictureType, pictureHeadBytes, pictureTypeOf } from './picture-type.ts'

export type ResultPart =
  | { kind: 'text'; source: ByteSource }
  | { kind: 'picture'; mediaType: PictureType; source: ByteSource }
  /** Neither text nor a picture of a known kind: named, and not shown. */
  | { kind: 'other'; name: string; isPicture: boolean }
  /** What exists no more, in words for people: the output itself, of which the model saw a little, or what came after. */
  | { kind: 'missing'; what: 'output' | 'rest'; saying: Saying }

/** Opens a file of the CLI's; undefined where it is gone, or no file of this session's. */
type OpenSaved = (file: SavedFile) => Promise<ByteSource | undefined>

/** Blocks that the CLI kept in a file are taken apart up to this size. */
const maxBlockFileBytes = 8 * 1024 * 1024

/** What a call returned. `content` is that of its result, `detail` what the entry has beside it. */
export async function wholeResult(
  toolCallId: string,
  { content, detail }: { content: unknown; detail: unknown },
  open: OpenSaved,
): Promise<ResultPart[]> {
  const saved = savedOutput(content, detail)
  if (saved === undefined) return wholeContent(content, open)
  const source = await open(saved)
  if (source === undefined) {
    const saying = say('output_file_gone', { file: saved.name, bytes: saved.bytes })
    return [...(await wholeContent(content, open)), { kind: 'missing', what: 'output', saying }]
  }
  // Of a list of blocks the CLI makes JSON, named for the call.
  if (saved.name === `${toolCallId}.json` && source.bytes <= maxBlockFileBytes) {
    const blocks = parseList((await allBytes(source)).toString('utf8'))
    if (blocks !== undefined) return wholeContent(blocks, open)
  }
  const parts: ResultPart[] = [{ kind: 'text', source }]
  if (saved.isCut) {
    const bytes = saved.bytes === undefined || saved.bytes <= source.bytes ? undefined : saved.bytes
    parts.push({ kind: 'missing', what: 'rest', saying: say('output_cut', { kept: source.bytes, bytes }) })
  }
  return parts
}

/** The content of a message or a result: a text, or a list of blocks. */
export async function wholeContent(content: unknown, open: OpenSaved): Promise<ResultPart[]> {
  if (typeof content === 'string') return [textPart(content)]
  const parts: ResultPart[] = []
  const blocks = list(content).filter(isRecord)
  for (const [index, block] of blocks.entries()) {
    const { type } = block
    // Where the original of the picture before it is, said for the model.
    const isNote = blocks[index - 1]?.type === 'image' && savedPicture(block) !== undefined
    if (isNote) continue
    if (type === 'text' && typeof block.text === 'string') parts.push(textPart(block.text))
    else if (type === 'image') parts.push(await picturePart(block, savedPicture(blocks[index + 1]), open))
    else parts.push({ kind: 'other', name: (text(type) ?? 'unknown').slice(0, 100), isPicture: false })
  }
  return parts
}

/** What an event has of it. */
export const eventParts = (content: unknown): Promise<ResultPart[]> =>
  wholeContent(content, async () => undefined)

/** The original where there is one, else what the model was shown. */
async function picturePart(
  block: Record<string, unknown>,
  saved: SavedFile | undefined,
  open: OpenSaved,
): Promise<ResultPart> {
  const { data, media_type: said } = record(block.source)
  const shown = typeof data === 'string' ? bufferSource(Buffer.from(data, 'base64')) : undefined
  for (const source of [saved && (await open(saved)), shown]) {
    const mediaType = source && (await pictureType(source))
    if (mediaType) return { kind: 'picture', mediaType, source }
  }
  return { kind: 'other', name: `image ${(text(said) ?? '').slice(0, 100)}`.trim(), isPicture: true }
}

async function pictureType(source: ByteSource): Promise<PictureType | undefined> {
  return pictureTypeOf(await allBytes(source, 0, Math.min(pictureHeadBytes, source.bytes)))
}

const textPart = (value: string): ResultPart => ({
  kind: 'text',
  source: bufferSource(Buffer.from(value)),
})

/** The texts one after the other, a line each; what is no text is named. */
export function joinedText(parts: readonly ResultPart[]): ByteSource {
  const texts = parts.flatMap((part) => {
    if (part.kind === 'text') return part.source
    return part.kind === 'other' ? bufferSource(Buffer.from(`[${part.name}]`)) : []
  })
  return joinedSource(texts, Buffer.from('\n'))
}

function parseList(json: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
