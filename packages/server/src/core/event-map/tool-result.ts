/** A `tool_result` block → the event, with what the tool itself returned beside it. */
import type { NewEvent } from '@dorkos/shared'
import { boundedValue, limits, short } from './bounded-value.ts'
import { boundedContent } from './content-blocks.ts'
import { defined, type Fields, text } from './untrusted.ts'

export function resultEvents(block: Fields, detail: unknown, parent: string | undefined): NewEvent[] {
  const toolCallId = text(block.tool_use_id)
  if (toolCallId === undefined) return []
  const content = boundedContent(block.content, limits.resultTextBytes)
  const event: NewEvent = {
    type: 'tool_result',
    ...defined({ tool_call_id: short(toolCallId), parent }),
    content: content.blocks,
    is_error: block.is_error === true,
    ...(detail !== undefined && detail !== null && { detail: boundedValue(detail, limits.detailBytes) }),
    ...(content.omittedBytes > 0 && { omitted_bytes: content.omittedBytes }),
  }
  return [event]
}
