import type { Block, ToolUseBlock } from './block.ts'
import { identifier } from './identifier.ts'
import type { MessageReply, StopReason, Usage } from './reply.ts'
import { estimateTokens } from './token-estimate.ts'

export type PlayedBlock = Exclude<Block, ToolUseBlock> | (ToolUseBlock & { id: string })

/** A finished message as the API returns it where `stream` is not set. */
export interface Message {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: PlayedBlock[]
  stop_reason: StopReason
  stop_sequence: null
  usage: Usage & { service_tier: 'standard' }
}

/** Fills in what a scripted reply leaves open: ids, stop reason and usage. */
export function buildMessage(
  scripted: Pick<MessageReply, 'blocks' | 'stopReason' | 'usage'>,
  model: string,
  inputTokens: number,
): Message {
  const content = scripted.blocks.map((block) => withId(block))
  const usesTool = content.some((block) => block.type === 'tool_use')
  return {
    id: identifier('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: scripted.stopReason ?? (usesTool ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: estimateTokens(content),
      ...scripted.usage,
      service_tier: 'standard',
    },
  }
}

function withId(block: Block): PlayedBlock {
  return block.type === 'tool_use' ? { ...block, id: block.id ?? identifier('toolu') } : block
}
