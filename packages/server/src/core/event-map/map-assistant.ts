/**
 * Answers of the model. `assistant`: a complete block, or several. What was streamed is not published again, only what
 * is missing of it; a tool call ends here, because the CLI completes its input (CLI 2.1.325 adds `replace_all` to Edit,
 * for one).
 */
import { isRecord, type NewEvent } from '@dorkos/shared'
import { boundedRecord, boundedValue, limits, pieces, short } from './bounded-value.ts'
import {
  type BlockState,
  findMessage,
  type Mapped,
  type MappedMessage,
  type MapState,
  newestMessage,
  withBlock,
  withCall,
  withMessage,
} from './map-state.ts'
import { isTodoTool } from './map-todos.ts'
import { resultEvents } from './tool-result.ts'
import { cliTime, defined, type Fields, finite, integer, list, record, text } from './untrusted.ts'

export function mapAssistant(state: MapState, message: Fields, parent: string | undefined): Mapped {
  const id = messageId(message)
  if (id === undefined) return { state, events: [] }
  const uuid = text(message.uuid) ?? `${id} complete`
  const withdrawn = blocksWithdrawn(supersededBlocks(state, message))
  let open: MappedMessage = findMessage(state, id, parent) ?? { id, parent, blocks: [] }
  if (open.blocks.some((block) => block.completedBy === uuid)) return { state, events: [] }
  let next = state
  const events: NewEvent[] = [...withdrawn]
  // Only a transcript says which block of the answer this is.
  let known = integer(message.api_block_index)
  for (const block of list(record(message.message).content)) {
    if (!isRecord(block)) continue
    const mapped = mapBlock(open, block, { uuid, known, message })
    open = withBlock(open, mapped.block)
    events.push(...mapped.events)
    next = rememberCall(next, block, mapped.block)
    known = known === undefined ? undefined : known + 1
  }
  return { state: withMessage(next, open), events }
}

/** An answer that is not the model's: the CLI's own words, such as an error. */
export const isByCli = (message: Fields): boolean =>
  message.type === 'assistant' && record(message.message).model === '<synthetic>'

/** The API's id. For what the CLI itself writes, the message's own: the transcript does not keep its random API id. */
function messageId(message: Fields): string | undefined {
  const answer = record(message.message)
  const own = text(message.uuid)
  const given = text(answer.id)
  const id = isByCli(message) ? (own ?? given) : (given ?? own)
  return id === undefined ? undefined : short(id)
}

function mapBlock(
  message: MappedMessage,
  block: Fields,
  { uuid, known, message: whole }: { uuid: string; known: number | undefined; message: Fields },
): { block: BlockState; events: NewEvent[] } {
  const kind = blockKind(block)
  const toolCallId = kind === 'tool' ? short(text(block.id) ?? '') : undefined
  const streamed = message.blocks.find((candidate) =>
    toolCallId !== undefined
      ? candidate.toolCallId === toolCallId
      : candidate.kind === kind && candidate.completedBy === undefined,
  )
  const index = streamed?.index ?? known ?? nextIndex(message)
  const position = { messageId: message.id, index, parent: message.parent }
  const value = kind === 'text' || kind === 'thinking' ? blockText(block) : ''
  const state = { index, kind, sent: value.length, toolCallId, completedBy: uuid }
  if (kind === 'text' || kind === 'thinking')
    return {
      block: state,
      events: [
        ...textEvents(kind, position, value.slice(streamed?.sent ?? 0)),
        ...(kind === 'thinking' && value !== ''
          ? thinkingEndEvents(position, whole.thinking_duration_ms)
          : []),
      ],
    }
  if (toolCallId === undefined) return { block: state, events: otherBlock(message, block) }
  const start = streamed === undefined ? [toolStartEvent(position, toolCallId, block)] : []
  const isPublished = streamed?.completedBy !== undefined
  const end = isPublished ? [] : [toolEndEvent(position, toolCallId, block, whole.timestamp)]
  return { block: state, events: [...start, ...end] }
}

const nextIndex = (message: MappedMessage): number =>
  message.blocks.reduce((next, { index }) => Math.max(next, index + 1), 0)

/** Results of tools that the API ran; thinking that nobody can read; and kinds that are not known yet. */
function otherBlock(message: MappedMessage, block: Fields): NewEvent[] {
  if (block.type === 'redacted_thinking' || block.type === 'text' || block.type === 'thinking') return []
  if (text(block.tool_use_id) !== undefined) return resultEvents(block, { parent: message.parent })
  const kind = `assistant/${short(text(block.type) ?? 'unknown')}`
  return [{ type: 'cli_message', kind, message: boundedValue(block, limits.messageBytes) }]
}

/** Calls whose results are more than results. A subagent's own list of tasks is not the session's. */
function rememberCall(state: MapState, block: Fields, mapped: BlockState): MapState {
  if (mapped.toolCallId === undefined) return state
  const name = toolName(block)
  if (!isTodoTool(name) && name !== 'Task' && name !== 'Agent') return state
  return withCall(state, { toolCallId: mapped.toolCallId, name, input: toolInput(block) })
}

function supersededBlocks(state: MapState, message: Fields): { message_id: string; index: number }[] {
  const gone = new Set(list(message.supersedes))
  if (gone.size === 0) return []
  return state.messages.flatMap(({ id, blocks }) =>
    blocks
      .filter(({ completedBy }) => completedBy !== undefined && gone.has(completedBy))
      .map(({ index }) => ({ message_id: id, index })),
  )
}

/** `stream_event`: an answer while it is being given. The complete message repeats each block and ends it. */
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
  const position: BlockPosition = { messageId: message.id, index, parent: message.parent }
  const started: BlockState = { index, kind, sent: 0, toolCallId: undefined, completedBy: undefined }
  if (kind === 'tool') {
    const toolCallId = short(text(block.id) ?? '')
    const next = withMessage(state, withBlock(message, { ...started, toolCallId }))
    return { state: next, events: [toolStartEvent(position, toolCallId, block)] }
  }
  const first = kind === 'other' ? '' : blockText(block)
  const next = withMessage(state, withBlock(message, { ...started, sent: first.length }))
  return { state: next, events: kind === 'other' ? [] : textEvents(kind, position, first) }
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
  const position = { messageId: message.id, index, parent: message.parent }
  return { state: next, events: textEvents(block.kind, position, grown) }
}

function toolGrew(message: MappedMessage, block: BlockState, delta: Fields): NewEvent[] {
  const json = delta.type === 'input_json_delta' ? text(delta.partial_json) : undefined
  if (json === undefined || block.toolCallId === undefined) return []
  return toolDeltaEvents(block.toolCallId, message.parent, json)
}

/** An answer that broke off and is requested again: what was streamed from a block on is not in the conversation. */
function messageStopped(state: MapState, message: MappedMessage, abandoned: Fields): Mapped {
  const from = integer(abandoned.from_block_index)
  if (from === undefined) return { state, events: [] }
  const gone = message.blocks.filter((block) => block.index >= from && block.completedBy === undefined)
  return { state, events: blocksWithdrawn(gone.map(({ index }) => ({ message_id: message.id, index }))) }
}

/** Makes clients take blocks back that they have shown. */
function blocksWithdrawn(blocks: { message_id: string; index: number }[]): NewEvent[] {
  if (blocks.length === 0) return []
  return [{ type: 'blocks_withdrawn', blocks }]
}

/** Where a block is: its message, its index in it, and the call of the subagent that speaks. */
interface BlockPosition {
  messageId: string
  index: number
  parent: string | undefined
}

function blockKind(block: Fields): BlockState['kind'] {
  if (block.type === 'text' || block.type === 'thinking') return block.type
  // `tool_use`, and what the API itself runs: `server_tool_use`, `mcp_tool_use`.
  return isToolUse(block.type) && text(block.id) !== undefined ? 'tool' : 'other'
}

const isToolUse = (type: unknown): boolean => typeof type === 'string' && type.endsWith('tool_use')

function blockText(block: Fields): string {
  return text(block.type === 'thinking' ? block.thinking : block.text) ?? ''
}

/** In pieces of bounded size. */
export function textEvents(kind: 'text' | 'thinking', position: BlockPosition, value: string): NewEvent[] {
  if (value === '') return []
  return pieces(value).map((piece) => ({
    type: kind === 'text' ? ('text_delta' as const) : ('thinking_delta' as const),
    ...positionFields(position),
    text: piece,
  }))
}

function toolStartEvent(position: BlockPosition, toolCallId: string, block: Fields): NewEvent {
  return {
    type: 'tool_call_start',
    tool_call_id: toolCallId,
    ...positionFields(position),
    name: toolName(block),
  }
}

function toolDeltaEvents(toolCallId: string, parent: string | undefined, json: string): NewEvent[] {
  if (json === '') return []
  return pieces(json).map((piece) => ({
    type: 'tool_call_delta' as const,
    ...defined({ tool_call_id: toolCallId, parent }),
    json: piece,
  }))
}

function toolEndEvent(position: BlockPosition, toolCallId: string, block: Fields, time: unknown): NewEvent {
  return {
    type: 'tool_call_end',
    ...defined({ tool_call_id: toolCallId, parent: position.parent, cli_time: cliTime(time) }),
    name: toolName(block),
    input: toolInput(block),
  }
}

/** How long the model thought, where the CLI says it. */
function thinkingEndEvents(position: BlockPosition, durationMs: unknown): NewEvent[] {
  const duration = finite(durationMs)
  if (duration === undefined || duration < 0) return []
  return [{ type: 'thinking_end', ...positionFields(position), duration_ms: duration }]
}

const toolName = (block: Fields): string => short(text(block.name) ?? 'unknown')

const toolInput = (block: Fields): Record<string, unknown> =>
  isRecord(block.input) ? boundedRecord(block.input, limits.inputBytes) : {}

function positionFields({ messageId, index, parent }: BlockPosition) {
  return defined({ message_id: messageId, index, parent })
}
