/** Blocks of an answer → events, in pieces of bounded size. */
import { isRecord, type NewEvent } from '@dorkos/shared'
import { boundedRecord, limits, pieces, short } from './bounded-value.ts'
import type { BlockState } from './map-state.ts'
import { cliTime, defined, type Fields, finite, text } from './untrusted.ts'

/** Where a block is: its message, its index in it, and the call of the subagent that speaks. */
export interface BlockPosition {
  messageId: string
  index: number
  parent: string | undefined
}

export function blockKind(block: Fields): BlockState['kind'] {
  if (block.type === 'text' || block.type === 'thinking') return block.type
  // `tool_use`, and what the API itself runs: `server_tool_use`, `mcp_tool_use`.
  return isToolUse(block.type) && text(block.id) !== undefined ? 'tool' : 'other'
}

const isToolUse = (type: unknown): boolean => typeof type === 'string' && type.endsWith('tool_use')

export function blockText(block: Fields): string {
  return text(block.type === 'thinking' ? block.thinking : block.text) ?? ''
}

export function textEvents(kind: 'text' | 'thinking', position: BlockPosition, value: string): NewEvent[] {
  if (value === '') return []
  return pieces(value).map((piece) => ({
    type: kind === 'text' ? ('text_delta' as const) : ('thinking_delta' as const),
    ...positionFields(position),
    text: piece,
  }))
}

export function toolStartEvent(position: BlockPosition, toolCallId: string, block: Fields): NewEvent {
  return {
    type: 'tool_call_start',
    tool_call_id: toolCallId,
    ...positionFields(position),
    name: toolName(block),
  }
}

export function toolDeltaEvents(toolCallId: string, parent: string | undefined, json: string): NewEvent[] {
  if (json === '') return []
  return pieces(json).map((piece) => ({
    type: 'tool_call_delta' as const,
    ...defined({ tool_call_id: toolCallId, parent }),
    json: piece,
  }))
}

export function toolEndEvent(
  position: BlockPosition,
  toolCallId: string,
  block: Fields,
  time: unknown,
): NewEvent {
  return {
    type: 'tool_call_end',
    ...defined({ tool_call_id: toolCallId, parent: position.parent, cli_time: cliTime(time) }),
    name: toolName(block),
    input: toolInput(block),
  }
}

/** How long the model thought, where the CLI says it. */
export function thinkingEndEvents(position: BlockPosition, durationMs: unknown): NewEvent[] {
  const duration = finite(durationMs)
  if (duration === undefined || duration < 0) return []
  return [{ type: 'thinking_end', ...positionFields(position), duration_ms: duration }]
}

export const toolName = (block: Fields): string => short(text(block.name) ?? 'unknown')

export const toolInput = (block: Fields): Record<string, unknown> =>
  isRecord(block.input) ? boundedRecord(block.input, limits.inputBytes) : {}

function positionFields({ messageId, index, parent }: BlockPosition) {
  return defined({ message_id: messageId, index, parent })
}
