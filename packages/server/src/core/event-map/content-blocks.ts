/** Content of messages and tool results, cut to what an event may hold. */
import { isRecord } from '@dorkos/shared'
import { boundedRecord, cutText, jsonBytes, limits } from './bounded-value.ts'
import { record, text } from './untrusted.ts'

export type ContentBlock = { type: string } & Record<string, unknown>

export interface BoundedContent {
  blocks: ContentBlock[]
  omittedBytes: number
}

/** A string counts as one block of text. Blocks that are none are passed over. */
export function boundedContent(content: unknown, maxTextBytes: number): BoundedContent {
  const source = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const result: BoundedContent = { blocks: [], omittedBytes: 0 }
  if (!Array.isArray(source)) return result
  const left = { text: maxTextBytes, binary: limits.binaryBytes }
  for (const block of source) {
    if (!isRecord(block) || typeof block.type !== 'string') continue
    if (result.blocks.length >= limits.blocks) {
      result.omittedBytes += jsonBytes(block, 1_000_000_000)
      continue
    }
    const bounded = boundedBlock(block as ContentBlock, left)
    result.omittedBytes += bounded.omitted
    if (bounded.block !== undefined) result.blocks.push(bounded.block)
  }
  return result
}

function boundedBlock(
  block: ContentBlock,
  left: { text: number; binary: number },
): { block: ContentBlock | undefined; omitted: number } {
  if (block.type === 'text') return textBlock(text(block.text) ?? '', left)
  const size = jsonBytes(block, left.binary)
  const source = record(block.source)
  if (typeof source.data === 'string') {
    const bytes = Buffer.byteLength(source.data)
    if (size > left.binary) {
      const kept = {
        type: block.type.slice(0, 100),
        source: { type: 'omitted', media_type: mediaType(source) },
      }
      return { block: { ...kept, omitted_bytes: bytes }, omitted: bytes }
    }
    left.binary -= size
    return { block, omitted: 0 }
  }
  const most = Math.min(left.text, limits.detailBytes)
  const bounded = boundedRecord(block, most)
  const used = jsonBytes(bounded, most)
  left.text = Math.max(0, left.text - used)
  const whole = bounded === block
  return {
    block: { ...bounded, type: block.type.slice(0, 100) },
    omitted: whole ? 0 : Math.max(0, jsonBytes(block, 1_000_000_000) - used),
  }
}

function textBlock(
  value: string,
  left: { text: number; binary: number },
): { block: ContentBlock | undefined; omitted: number } {
  const cut = cutText(value, left.text)
  const used = Buffer.byteLength(cut)
  const omitted = cut.length === value.length ? 0 : Buffer.byteLength(value) - used
  left.text -= used
  // A block of which nothing is left says nothing, unless it was empty to begin with.
  return { block: cut === '' && value !== '' ? undefined : { type: 'text', text: cut }, omitted }
}

const mediaType = (source: Record<string, unknown> | Readonly<Record<string, unknown>>): string =>
  (text(source.media_type) ?? 'unknown').slice(0, 100)
