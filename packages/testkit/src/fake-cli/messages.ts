import { randomUUID } from 'node:crypto'
import { initFields, tokenUsage } from './canned.ts'
import type { JsonObject } from './scenario.ts'

/** What messages say about the session. */
export interface SessionFacts {
  sessionId: string
  model: string
  permissionMode: string
  version: string
}

const stamp = (facts: SessionFacts): JsonObject => ({ session_id: facts.sessionId, uuid: randomUUID() })
const dated = (facts: SessionFacts): JsonObject => ({
  parent_tool_use_id: null,
  ...stamp(facts),
  timestamp: new Date().toISOString(),
})

export function systemMessage(facts: SessionFacts, subtype: string, fields: JsonObject): JsonObject {
  return { type: 'system', subtype, ...fields, ...stamp(facts) }
}

export function initMessage(facts: SessionFacts, tools: string[], servers: JsonObject[]): JsonObject {
  return systemMessage(facts, 'init', {
    cwd: process.cwd(),
    tools,
    mcp_servers: servers,
    model: facts.model,
    permissionMode: facts.permissionMode,
    claude_code_version: facts.version,
    ...initFields,
  })
}

const apiMessage = (facts: SessionFacts, id: string, content: JsonObject[]): JsonObject => ({
  id,
  type: 'message',
  role: 'assistant',
  model: facts.model,
  content,
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
})

export function assistantMessage(facts: SessionFacts, messageId: string, block: JsonObject): JsonObject {
  return { type: 'assistant', message: apiMessage(facts, messageId, [block]), ...dated(facts) }
}

export function userMessage(facts: SessionFacts, content: unknown, fields: JsonObject = {}): JsonObject {
  return { type: 'user', message: { role: 'user', content }, ...dated(facts), ...fields }
}

export function toolResult(
  facts: SessionFacts,
  toolUseId: string,
  content: unknown,
  isError: boolean,
): JsonObject {
  const block = { type: 'tool_result', tool_use_id: toolUseId, content, ...(isError && { is_error: true }) }
  return userMessage(facts, [block], { tool_use_result: isError ? `Error: ${String(content)}` : content })
}

export function lifecycle(facts: SessionFacts, commandUuid: string, state: string): JsonObject {
  return { type: 'command_lifecycle', command_uuid: commandUuid, state, ...stamp(facts) }
}

/** The stream events of one text block, in order; the assistant message belongs before `after`. */
export function textStream(
  facts: SessionFacts,
  messageId: string,
  text: string,
): Record<'before' | 'after', JsonObject[]> {
  const event = (fields: JsonObject): JsonObject => ({
    type: 'stream_event',
    event: fields,
    parent_tool_use_id: null,
    ...stamp(facts),
    api_message_id: messageId,
  })
  const words = text.match(/\S+\s*|^\s+/g) ?? [text]
  const deltas = words.map((word) =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: word } }),
  )
  const ending = { stop_reason: 'end_turn', stop_sequence: null }
  return {
    before: [
      event({ type: 'message_start', message: apiMessage(facts, messageId, []) }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...deltas,
    ],
    after: [
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: ending, usage: { output_tokens: 20 } }),
      event({ type: 'message_stop' }),
    ],
  }
}

/** What a result says about the turns so far. */
export interface ResultFacts {
  index: number
  costBefore: number
  cost: number
  durationMs: number
  text: string
  queued: number
}

export function resultMessage(facts: SessionFacts, about: ResultFacts, fields: JsonObject): JsonObject {
  const modelUsage = (costUSD: number): JsonObject => ({
    [facts.model]: {
      inputTokens: tokenUsage.input_tokens,
      outputTokens: tokenUsage.output_tokens,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      webSearchRequests: 0,
      costUSD,
      contextWindow: 1000000,
      maxOutputTokens: 128000,
    },
  })
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    stop_reason: 'end_turn',
    result: about.text,
    num_turns: 1,
    duration_ms: about.durationMs,
    duration_api_ms: 0,
    total_cost_usd: about.cost,
    usage: tokenUsage,
    modelUsage: modelUsage(about.cost),
    model_usage_since_last_result: modelUsage(about.cost - about.costBefore),
    permission_denials: [],
    queued_turn_count: about.queued,
    result_index: about.index,
    ...fields,
    ...stamp(facts),
  }
}
