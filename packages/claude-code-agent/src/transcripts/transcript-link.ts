/** How a transcript's entries hang together: the few fields of each line that say so, found without decoding the rest. */
import { isRecord } from '@dorkos/processes'
import { isTrueAt, scanArray, scanObject, stringAt } from './json-scan.ts'
import type { FileLine } from './line-reader.ts'
import { parseEntry } from './transcript-entry.ts'

export interface TranscriptLink {
  readonly uuid: string
  readonly parent: string | undefined
  readonly type: string
  /** The entry that a compaction took the place of; its own parent is none. */
  readonly logicalParent: string | undefined
  /** The CLI's own words in the role of a user. */
  readonly isMeta: boolean
  /** The model's message that an assistant entry is one block of. */
  readonly messageId: string | undefined
  /** The tool calls that a user entry answers. */
  readonly answers: readonly string[]
  /** Messages that a compaction kept, to be read after the entry `anchor`. */
  readonly kept: KeptMessages | undefined
  readonly offset: number
  readonly length: number
}

interface KeptMessages {
  readonly anchor: string
  readonly uuids: readonly string[]
}

/** The link on a line; nothing for lines that are no part of the conversation, or of a subagent's. */
export function linkOf(line: FileLine): TranscriptLink | undefined {
  const { bytes } = line
  if (!bytes?.includes('"uuid"')) return undefined
  const fields = scanObject(bytes)
  if (!fields?.has('parentUuid') || isTrueAt(bytes, fields.get('isSidechain'))) return undefined
  const text = (name: string) => stringAt(bytes, fields.get(name))
  const uuid = text('uuid')
  const type = text('type')
  if (uuid === undefined || type === undefined) return undefined
  const message = fields.get('message')
  const parts = message && scanObject(bytes, message.start)
  const content = parts?.get('content')
  return {
    uuid,
    type,
    parent: text('parentUuid'),
    logicalParent: text('logicalParentUuid'),
    isMeta: isTrueAt(bytes, fields.get('isMeta')),
    messageId: type === 'assistant' ? stringAt(bytes, parts?.get('id')) : undefined,
    answers: type === 'user' && content ? toolCallsAnswered(bytes, content.start) : [],
    kept: text('subtype') === 'compact_boundary' ? keptMessages(line) : undefined,
    offset: line.offset,
    length: line.length,
  }
}

function toolCallsAnswered(bytes: Buffer, contentStart: number): string[] {
  const ids: string[] = []
  for (const item of scanArray(bytes, contentStart)) {
    const block = scanObject(bytes, item.start)
    if (stringAt(bytes, block?.get('type')) !== 'tool_result') continue
    const id = stringAt(bytes, block?.get('tool_use_id'))
    if (id !== undefined) ids.push(id)
  }
  return ids
}

function keptMessages(line: FileLine): KeptMessages | undefined {
  const metadata = parseEntry(line)?.compactMetadata
  const kept = isRecord(metadata) ? metadata.preservedMessages : undefined
  if (!isRecord(kept) || typeof kept.anchorUuid !== 'string' || !Array.isArray(kept.uuids)) return undefined
  return { anchor: kept.anchorUuid, uuids: kept.uuids.filter((uuid) => typeof uuid === 'string') }
}
