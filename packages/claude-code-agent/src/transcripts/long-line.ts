/** Lines that are too long to be held: what is wanted of them is found in a pass over the file. */
import type { FileHandle } from 'node:fs/promises'
import { FieldScanner, type WantedFields } from './field-scanner.ts'
import { type FileLine, readBytes } from './line-reader.ts'
import type { TranscriptLink } from './transcript-link.ts'

const chunkBytes = 256 * 1024
const nameBytes = 300

export async function scanLine(
  file: FileHandle,
  { offset, length }: Pick<FileLine, 'offset' | 'length'>,
  wanted: WantedFields,
): Promise<FieldScanner> {
  const scanner = new FieldScanner(wanted)
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, length))
  for (let at = 0; at < length; ) {
    const chunk = await readBytes(file, offset + at, Math.min(chunkBytes, length - at), buffer)
    if (chunk.length === 0) break
    scanner.feed(chunk)
    at += chunk.length
  }
  return scanner
}

const linkFields = new Set([
  'uuid',
  'type',
  'parentUuid',
  'logicalParentUuid',
  'isSidechain',
  'isMeta',
  'isCompactSummary',
  'timestamp',
  'message.id',
  'message.content.*.type',
  'message.content.*.tool_use_id',
  'attachment.type',
  'attachment.source_uuid',
  'attachment.commandMode',
])

export function wantedForLinks(path: string): number {
  return linkFields.has(path) ? nameBytes : 0
}

/** The same as `linkOf`, but for what a compaction kept: such lines are short. */
export function linkIn(scanner: FieldScanner, line: FileLine): TranscriptLink | undefined {
  const { values } = scanner
  const uuid = scanner.text('uuid')
  const type = scanner.text('type')
  if (!scanner.isComplete || uuid === undefined || type === undefined) return undefined
  if (!values.has('parentUuid') || values.get('isSidechain') === true) return undefined
  return {
    uuid,
    type,
    parent: scanner.text('parentUuid'),
    logicalParent: scanner.text('logicalParentUuid'),
    isMeta: values.get('isMeta') === true,
    messageId: type === 'assistant' ? scanner.text('message.id') : undefined,
    answers: type === 'user' ? toolCallsAnswered(scanner) : [],
    kept: undefined,
    offset: line.offset,
    length: line.length,
  }
}

function toolCallsAnswered(scanner: FieldScanner): string[] {
  const ids: string[] = []
  for (const path of scanner.values.keys()) {
    const index = /^message\.content\.(\d+)\.tool_use_id$/.exec(path)?.[1]
    const id = scanner.text(path)
    if (id !== undefined && scanner.text(`message.content.${index}.type`) === 'tool_result') ids.push(id)
  }
  return ids
}
