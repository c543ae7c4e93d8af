/**
 * CLI messages → the messages of `session.messages()`. Pure. One CLI message can hold several content blocks, so
 * one may become several; what is not known here passes through unchanged in kind.
 */
import type { CliMessage } from '../protocol/control-channel.ts'

/** A block of the Messages API, as the CLI sent it. */
export interface ContentBlock {
  type: string
  [key: string]: unknown
}

interface MessageBase {
  /** The CLI's own message, untouched. */
  raw: CliMessage
}

/** Text or thinking of the agent. `content` is the text; `blocks` holds the blocks it came in. */
export interface AssistantMessage extends MessageBase {
  type: 'assistant'
  content: string
  blocks: ContentBlock[]
  /** The tool call of the subagent that speaks, or null for the agent itself. */
  parentToolUseId: string | null
}

export interface ToolUseMessage extends MessageBase {
  type: 'tool_use'
  toolUseId: string
  /** The whole name: `mcp__calc__add` for a tool `add` of the server `calc`. */
  toolName: string
  input: Record<string, unknown>
  parentToolUseId: string | null
}

export interface ToolResultMessage extends MessageBase {
  type: 'tool_result'
  toolUseId: string
  /** The name of the tool that was called, where its call was seen. */
  toolName: string | undefined
  /** The text of the result; `blocks` has images and everything else. */
  content: string
  blocks: ContentBlock[]
  isError: boolean
  parentToolUseId: string | null
}

/** A turn's end. Not the session's: background work or a further message can start another turn. */
export interface ResultMessage extends MessageBase {
  type: 'result'
  outcome: TurnOutcome
  /** The final text, or what went wrong. */
  content: string
  structuredOutput: unknown
  stats: TurnStats
}

export interface TurnStats {
  durationMs: number
  apiDurationMs: number
  modelTurns: number
  /** What the process has cost so far, not this turn alone. */
  totalCostUsd: number
  usage: Record<string, unknown>
}

export interface SystemMessage extends MessageBase {
  type: 'system'
  subtype: string
}

/** A piece of what the model is saying, with `includePartialMessages`. */
export interface StreamEventMessage extends MessageBase {
  type: 'stream_event'
  /** The piece of text, where the event is one. */
  textDelta: string | undefined
  /** The Messages API's own event. */
  event: Record<string, unknown>
  parentToolUseId: string | null
}

/**
 * Every other type, as the CLI sent it. A newer CLI sends types that are not listed here; they arrive all the same,
 * under their own name.
 */
export interface OtherMessage extends MessageBase {
  type: OtherType
}

type OtherType =
  | 'user'
  | 'tool_progress'
  | 'tool_use_summary'
  | 'auth_status'
  | 'rate_limit_event'
  | 'prompt_suggestion'
  | 'conversation_reset'
  | 'command_lifecycle'
  | 'transcript_mirror'

export type SessionMessage =
  | AssistantMessage
  | ToolUseMessage
  | ToolResultMessage
  | ResultMessage
  | SystemMessage
  | StreamEventMessage
  | OtherMessage

/** How a turn ended. `structured_output_failed`: an output schema was given, and the turn has no output that fits it. */
export type TurnOutcome =
  | 'completed'
  | 'interrupted'
  | 'failed'
  | 'max_turns'
  | 'budget'
  | 'structured_output_failed'

/**
 * `subtype: success` can carry an error, and an interrupt comes as `error_during_execution`: so the terminal reason
 * is asked first, then the subtype, then `is_error`. With an output schema it can also come without any output (2.1.325: a model
 * that answers in text, reminded once). A turn without a model call, such as a slash command's, has none to give.
 */
export function outcomeOf(result: CliMessage, hasOutputSchema = false): TurnOutcome {
  const reason = result.terminal_reason
  if (typeof reason === 'string' && reason.startsWith('aborted')) return 'interrupted'
  if (result.subtype === 'error_max_turns' || reason === 'max_turns') return 'max_turns'
  if (result.subtype === 'error_max_budget_usd') return 'budget'
  if (result.subtype === 'error_max_structured_output_retries') return 'structured_output_failed'
  if (result.subtype !== 'success' || result.is_error === true) return 'failed'
  const lacksOutput =
    hasOutputSchema && result.structured_output === undefined && numberOf(result.num_turns) > 0
  return lacksOutput ? 'structured_output_failed' : 'completed'
}

/** Turns one CLI message into the messages that are delivered. */
export interface MessageMapper {
  map(raw: CliMessage, push: (message: SessionMessage) => void): void
}

/** Delivers every message as the CLI sent it. */
export const rawMapper: MessageMapper = {
  map: (raw, push) => push(raw.type === 'result' ? toResult(raw) : toOther(raw)),
}

/** Remembers the names of tools whose calls were seen, so that their results can be named. */
export class MessageMap implements MessageMapper {
  readonly #toolNames = new Map<string, string>()
  readonly #hasOutputSchema: boolean

  constructor({ hasOutputSchema = false }: { hasOutputSchema?: boolean } = {}) {
    this.#hasOutputSchema = hasOutputSchema
  }

  map(raw: CliMessage, push: (message: SessionMessage) => void): void {
    switch (raw.type) {
      case 'stream_event':
        return push(toStreamEvent(raw))
      case 'assistant':
        return this.#mapAssistant(raw, push)
      case 'user':
        return this.#mapUser(raw, push)
      case 'result':
        return push(toResult(raw, this.#hasOutputSchema))
      case 'system':
        return push({ type: 'system', subtype: stringOf(raw.subtype), raw })
      default:
        return push(toOther(raw))
    }
  }

  #mapAssistant(raw: CliMessage, push: (message: SessionMessage) => void): void {
    const blocks = blocksOf(raw)
    const parentToolUseId = parentOf(raw)
    const spoken = blocks.some(isToolUse) ? blocks.filter((block) => !isToolUse(block)) : blocks
    if (spoken.length > 0 || blocks.length === 0)
      push({ type: 'assistant', content: textOf(spoken), blocks: spoken, parentToolUseId, raw })
    for (const block of blocks) {
      if (!isToolUse(block)) continue
      const toolUseId = stringOf(block.id)
      const toolName = stringOf(block.name)
      this.#toolNames.set(toolUseId, toolName)
      push({ type: 'tool_use', toolUseId, toolName, input: recordOf(block.input), parentToolUseId, raw })
    }
  }

  #mapUser(raw: CliMessage, push: (message: SessionMessage) => void): void {
    const blocks = blocksOf(raw)
    const results = blocks.filter((block) => block.type === 'tool_result')
    if (results.length < blocks.length || blocks.length === 0) push({ type: 'user', raw })
    for (const block of results) {
      const toolUseId = stringOf(block.tool_use_id)
      const content = toBlocks(block.content)
      push({
        type: 'tool_result',
        toolUseId,
        toolName: this.#toolNames.get(toolUseId),
        content: textOf(content),
        blocks: content,
        isError: block.is_error === true,
        parentToolUseId: parentOf(raw),
        raw,
      })
      this.#toolNames.delete(toolUseId)
    }
  }
}

function toOther(raw: CliMessage): OtherMessage {
  return { type: (stringOf(raw.type) || 'unknown') as OtherType, raw }
}

function toStreamEvent(raw: CliMessage): StreamEventMessage {
  const event = recordOf(raw.event)
  const text = recordOf(event.delta).text
  return {
    type: 'stream_event',
    textDelta: typeof text === 'string' ? text : undefined,
    event,
    parentToolUseId: parentOf(raw),
    raw,
  }
}

function toResult(raw: CliMessage, hasOutputSchema = false): ResultMessage {
  const errors = Array.isArray(raw.errors) ? raw.errors.map(errorText).join('\n') : ''
  return {
    type: 'result',
    outcome: outcomeOf(raw, hasOutputSchema),
    content: typeof raw.result === 'string' ? raw.result : errors,
    structuredOutput: raw.structured_output,
    stats: {
      durationMs: numberOf(raw.duration_ms),
      apiDurationMs: numberOf(raw.duration_api_ms),
      modelTurns: numberOf(raw.num_turns),
      totalCostUsd: numberOf(raw.total_cost_usd),
      usage: recordOf(raw.usage),
    },
    raw,
  }
}

function blocksOf(raw: CliMessage): ContentBlock[] {
  return toBlocks(recordOf(raw.message).content)
}

function toBlocks(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  // Most often there is nothing to leave out, and nothing to copy.
  return content.every(isBlock) ? content : content.filter(isBlock)
}

function isBlock(value: unknown): value is ContentBlock {
  return typeof recordOf(value).type === 'string'
}

function isToolUse(block: ContentBlock): boolean {
  return block.type === 'tool_use'
}

function textOf(blocks: ContentBlock[]): string {
  let text = ''
  for (const block of blocks) if (block.type === 'text' && typeof block.text === 'string') text += block.text
  return text
}

function parentOf(raw: CliMessage): string | null {
  return typeof raw.parent_tool_use_id === 'string' ? raw.parent_tool_use_id : null
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Not `String()`: that throws for objects of some shapes, and nothing that arrives may throw here. */
function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function errorText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
