// The content blocks a scripted reply is made of, in the API's own shape.

export interface TextBlock {
  type: 'text'
  text: string
}

export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}

/** Without an `id` the reply gets a fresh `toolu_…` one each time it is played. */
export interface ToolUseBlock {
  type: 'tool_use'
  id?: string
  name: string
  input: Record<string, unknown>
}

export type Block = TextBlock | ThinkingBlock | ToolUseBlock

export function text(value: string): TextBlock {
  return { type: 'text', text: value }
}

/** The API signs what a model thought; a client only hands the signature back, so any string does here. */
export function thinking(value: string, signature = 'c2NyaXB0ZWQtc2lnbmF0dXJl'): ThinkingBlock {
  return { type: 'thinking', thinking: value, signature }
}

/** `name` as the model sees it: an MCP tool is `mcp__<server>__<tool>`. */
export function toolUse(name: string, input: Record<string, unknown> = {}, id?: string): ToolUseBlock {
  return { type: 'tool_use', name, input, ...(id === undefined ? {} : { id }) }
}
