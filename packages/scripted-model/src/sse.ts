import type { Message, PlayedBlock } from './message.ts'

// A message as the API streams it: start, blocks with their deltas, end.

export interface ModelStreamEvent {
  type: string
  [field: string]: unknown
}

const DEFAULT_DELTA_SIZE = 24

export function encodeEvent(event: ModelStreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

export function isDelta(event: ModelStreamEvent): boolean {
  return event.type === 'content_block_delta'
}

export function* streamMessage(
  message: Message,
  deltaSize = DEFAULT_DELTA_SIZE,
): Generator<ModelStreamEvent> {
  yield {
    type: 'message_start',
    message: {
      ...message,
      content: [],
      stop_reason: null,
      usage: { ...message.usage, output_tokens: 1 },
    },
  }
  for (const [index, block] of message.content.entries()) {
    yield { type: 'content_block_start', index, content_block: emptyBlock(block) }
    if (index === 0) yield { type: 'ping' }
    for (const delta of blockDeltas(block, deltaSize)) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  const { service_tier: _, ...usage } = message.usage
  yield {
    type: 'message_delta',
    delta: { stop_reason: message.stop_reason, stop_sequence: message.stop_sequence },
    usage,
  }
  yield { type: 'message_stop' }
}

function emptyBlock(block: PlayedBlock): PlayedBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: '' }
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: {} }
  }
}

function* blockDeltas(block: PlayedBlock, size: number): Generator<Record<string, unknown>> {
  switch (block.type) {
    case 'text':
      for (const piece of pieces(block.text, size)) yield { type: 'text_delta', text: piece }
      return
    case 'thinking':
      for (const piece of pieces(block.thinking, size)) yield { type: 'thinking_delta', thinking: piece }
      yield { type: 'signature_delta', signature: block.signature }
      return
    case 'tool_use':
      // The API opens a tool's input with an empty piece.
      yield { type: 'input_json_delta', partial_json: '' }
      for (const piece of pieces(JSON.stringify(block.input), size)) {
        yield { type: 'input_json_delta', partial_json: piece }
      }
  }
}

/** Cuts a string into pieces of `size` UTF-16 units, never through a surrogate pair: half of one cannot be encoded. */
export function* pieces(value: string, size: number): Generator<string> {
  const step = Math.max(1, Math.floor(size))
  for (let start = 0; start < value.length; ) {
    let end = Math.min(value.length, start + step)
    const last = value.charCodeAt(end - 1)
    if (end < value.length && last >= 0xd800 && last <= 0xdbff) end += 1
    yield value.slice(start, end)
    start = end
  }
}
