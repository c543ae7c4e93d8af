/** Messages as the CLI writes them, for tests of what becomes of them. */
import type { NewEvent } from '@dorkos/shared'
import { initialMapState, type MapState, mapMessage } from '../../src/core/event-map/map-message.ts'
import type { CliMessage } from '../../src/core/ports/agent.ts'

/** The events of messages that come one after the other. */
export function mapAll(messages: unknown[], state: MapState = initialMapState()): NewEvent[] {
  let current = state
  return messages.flatMap((message) => {
    const mapped = mapMessage(current, message as CliMessage)
    current = mapped.state
    return mapped.events
  })
}

type Fields = Record<string, unknown>

export const stream = (event: Fields, more: Fields = {}) => ({
  type: 'stream_event',
  event,
  api_message_id: 'm1',
  ...more,
})
/** An answer begins. */
export const begin = stream({ type: 'message_start', message: { id: 'm1' } })
/** A block of it. */
export const start = (block: unknown, index = 0) =>
  stream({ type: 'content_block_start', index, content_block: block })
export const delta = (value: unknown, index = 0) =>
  stream({ type: 'content_block_delta', index, delta: value })
/** The whole of it. */
export const complete = (content: unknown[], more: Fields = {}) => ({
  type: 'assistant',
  uuid: 'u1',
  message: { id: 'm1', content },
  ...more,
})
