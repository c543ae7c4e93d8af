/** `stream_event`: an answer while it is being given. The complete message repeats each block and ends it. */
import type { NewEvent } from '@dorkos/shared'
import {
  type BlockPlace,
  blockKind,
  blockText,
  textEvents,
  toolDeltaEvents,
  toolStartEvent,
} from './block-events.ts'
import { short } from './bounded-value.ts'
import {
  type BlockState,
  findMessage,
  type Mapped,
  type MappedMessage,
  type MapState,
  newestMessage,
  withBlock,
  withMessage,
} from './map-state.ts'
import { type Fields, integer, record, text } from './untrusted.ts'

export function mapStreamEvent(state: MapState, message: Fields, parent: string | undefined): Mapped {
  const event = record(message.event)
  if (event.type === 'message_start') return messageStarted(state, record(event.message), parent)
  const open = streamedMessage(state, message, parent)
  if (open === undefined) return { state, events: [] }
  const index = integer(event.index)
  if (event.type === 'content_block_start' && index !== undefined)
    return blockStarted(state, open, index, record(event.content_block))
  if (event.type === 'content_block_delta' && index !== undefined)
    return blockGrew(state, open, index, record(event.delta))
  if (event.type === 'message_stop') return messageStopped(state, open, record(message.abandoned_blocks))
  return { state, events: [] }
}

/** Older CLIs do not name the message in each event; there it is the newest one. */
function streamedMessage(
  state: MapState,
  message: Fields,
  parent: string | undefined,
): MappedMessage | undefined {
  const named = text(message.api_message_id)
  return named === undefined ? newestMessage(state, parent) : findMessage(state, short(named), parent)
}

function messageStarted(state: MapState, message: Fields, parent: string | undefined): Mapped {
  const id = text(message.id)
  if (id === undefined) return { state, events: [] }
  return { state: withMessage(state, { id: short(id), parent, blocks: [] }), events: [] }
}

function blockStarted(state: MapState, message: MappedMessage, index: number, block: Fields): Mapped {
  const kind = blockKind(block)
  const place: BlockPlace = { messageId: message.id, index, parent: message.parent }
  const started: BlockState = { index, kind, sent: 0, toolCallId: undefined, completedBy: undefined }
  if (kind === 'tool') {
    const toolCallId = short(text(block.id) ?? '')
    const next = withMessage(state, withBlock(message, { ...started, toolCallId }))
    return { state: next, events: [toolStartEvent(place, toolCallId, block)] }
  }
  const first = kind === 'other' ? '' : blockText(block)
  const next = withMessage(state, withBlock(message, { ...started, sent: first.length }))
  return { state: next, events: kind === 'other' ? [] : textEvents(kind, place, first) }
}

function blockGrew(state: MapState, message: MappedMessage, index: number, delta: Fields): Mapped {
  const block = message.blocks.find((candidate) => candidate.index === index)
  // What comes after the complete block would be sent twice.
  if (block === undefined || block.completedBy !== undefined) return { state, events: [] }
  if (block.kind === 'tool') return { state, events: toolGrew(message, block, delta) }
  const grown = text(delta.type === 'thinking_delta' ? delta.thinking : delta.text)
  if (block.kind === 'other' || grown === undefined || delta.type !== `${block.kind}_delta`)
    return { state, events: [] }
  const next = withMessage(state, withBlock(message, { ...block, sent: block.sent + grown.length }))
  const place = { messageId: message.id, index, parent: message.parent }
  return { state: next, events: textEvents(block.kind, place, grown) }
}

function toolGrew(message: MappedMessage, block: BlockState, delta: Fields): NewEvent[] {
  const json = delta.type === 'input_json_delta' ? text(delta.partial_json) : undefined
  if (json === undefined || block.toolCallId === undefined) return []
  return toolDeltaEvents(block.toolCallId, message.parent, json)
}

/** An answer that broke off and is asked for again: from a block on, what was streamed is not part of the conversation. */
function messageStopped(state: MapState, message: MappedMessage, abandoned: Fields): Mapped {
  const from = integer(abandoned.from_block_index)
  if (from === undefined) return { state, events: [] }
  const gone = message.blocks.filter((block) => block.index >= from && block.completedBy === undefined)
  return { state, events: blocksWithdrawn(gone.map(({ index }) => ({ message_id: message.id, index }))) }
}

/** Makes clients take blocks back that they have shown. */
export function blocksWithdrawn(blocks: { message_id: string; index: number }[]): NewEvent[] {
  if (blocks.length === 0) return []
  return [{ type: 'blocks_withdrawn', blocks }]
}
