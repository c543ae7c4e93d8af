/**
 * `user`: results of tools, and words to the agent. The CLI does not repeat a message of the host (unless it is started
 * with `--replay-user-messages`); other words that it sends by itself are its own: a summary, a command's output, a
 * subagent's prompt, "[Request interrupted by user]".
 */
import { isRecord, type NewEvent } from '@dorkos/shared'
import { cutText, limits, short } from './bounded-value.ts'
import { boundedContent, type ContentBlock } from './content-blocks.ts'
import { isHookFeedback } from './map-hooks.ts'
import { type Mapped, type MapState, withoutCall } from './map-state.ts'
import { mapAgentResult } from './map-tasks.ts'
import { isTodoTool, mapTodoResult } from './map-todos.ts'
import { isDeniedByHook, resultEvents, stoppedBy } from './tool-result.ts'
import { defined, type Fields, record, text } from './untrusted.ts'

export function mapUser(state: MapState, message: Fields, parent: string | undefined): Mapped {
  const content = record(message.message).content
  if (!Array.isArray(content)) return { state, events: userMessage(message, content, parent) }
  const results = content.filter((block) => isRecord(block) && block.type === 'tool_result')
  const rest = content.filter((block) => isRecord(block) && block.type !== 'tool_result')
  let next = state
  const events: NewEvent[] = []
  for (const block of results) {
    const mapped = mapResult(next, message, record(block), parent, results.length)
    next = mapped.state
    events.push(...mapped.events)
  }
  return { state: next, events: [...events, ...userMessage(message, rest, parent)] }
}

function mapResult(
  state: MapState,
  message: Fields,
  block: Fields,
  parent: string | undefined,
  count: number,
): Mapped {
  // One message holds one result; its detail would be anyone's if there were more.
  const detail = count === 1 ? message.tool_use_result : undefined
  const stopped = stoppedBy(message, block)
  const byHook = isDeniedByHook(message, block)
  const events = resultEvents(block, { detail, parent, stopped, byHook, time: message.timestamp })
  const id = text(block.tool_use_id)
  const call = id === undefined ? undefined : state.calls.find(({ toolCallId }) => toolCallId === short(id))
  if (call === undefined) return { state, events }
  const known = withoutCall(state, call.toolCallId)
  if (block.is_error === true) return { state: known, events }
  if (!isTodoTool(call.name)) {
    const agent = mapAgentResult(known, call, record(detail))
    return { state: agent.state, events: [...agent.events, ...events] }
  }
  if (parent !== undefined) return { state: known, events }
  const todos = mapTodoResult(known, call, detail)
  return { state: todos.state, events: [...events, ...todos.events] }
}

function userMessage(message: Fields, content: unknown, parent: string | undefined): NewEvent[] {
  const id = text(message.uuid)
  if (id === undefined) return []
  const words = typeof content === 'string' ? localCommand(content) : undefined
  if (message.isSynthetic === true && isHookFeedback(content)) return []
  const value = words === undefined ? boundedMessage(content) : cutText(words.text, limits.messageChars)
  if (value === undefined || value.length === 0) return []
  const own = parent === undefined && message.isReplay === true && message.isSynthetic !== true
  const synthetic = !own || words?.isOutput === true || isInterruption(value)
  return [
    {
      type: 'user_message',
      ...defined({ message_id: short(id), parent, synthetic: synthetic || undefined }),
      content: value,
    },
  ]
}

/** `[Request interrupted by user]`, `[Request interrupted by user for tool use]`: nobody typed them. */
function isInterruption(content: string | ContentBlock[]): boolean {
  const words = typeof content === 'string' ? content : (text(content[0]?.text) ?? '')
  return words.startsWith('[Request interrupted by user')
}

function boundedMessage(content: unknown): string | ContentBlock[] | undefined {
  if (typeof content === 'string') return cutText(content, limits.messageChars)
  return Array.isArray(content) ? boundedContent(content, limits.messageChars).blocks : undefined
}

/** Commands stand in tags of the CLI's own: a slash command or `!command` as it was typed, or what it printed. */
function localCommand(content: string): { text: string; isOutput: boolean } {
  const output = localCommandOutput(content)
  if (output !== undefined) return { text: output, isOutput: true }
  const start = content.trimStart()
  const shell = start.startsWith('<bash-input>') ? tagContent(content, 'bash-input') : undefined
  if (shell !== undefined) return { text: `!${shell}`, isOutput: false }
  const name = start.startsWith('<command-') ? tagContent(content, 'command-name') : undefined
  if (name === undefined) return { text: content, isOutput: false }
  return { text: `${name} ${tagContent(content, 'command-args') ?? ''}`.trim(), isOutput: false }
}

/** What a local command printed; undefined for any other text. */
export function localCommandOutput(content: string): string | undefined {
  const prefix = ['local-command', 'bash'].find((name) => content.startsWith(`<${name}-std`))
  if (prefix === undefined) return undefined
  const parts = [tagContent(content, `${prefix}-stdout`), tagContent(content, `${prefix}-stderr`)]
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}

/** The text between the first `<name>` and the last `</name>`. */
export function tagContent(content: string, name: string): string | undefined {
  const start = content.indexOf(`<${name}>`)
  const end = content.lastIndexOf(`</${name}>`)
  if (start === -1 || end < start) return undefined
  return content.slice(start + name.length + 2, end)
}
