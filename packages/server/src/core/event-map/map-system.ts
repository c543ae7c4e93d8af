/** `system`: what the CLI says about itself. Undefined for what has no event of its own. */

import {
  type McpServerHealth,
  mcpServerHealthSchema,
  type NewEvent,
  type PermissionMode,
  permissionModeSchema,
  type Saying,
  say,
} from '@dorkos/shared'
import { noticeOf } from '../notice.ts'
import { limits, short } from './bounded-value.ts'
import { isDroppedInformation } from './dropped-messages.ts'
import { textEvents } from './map-assistant.ts'
import { hookResult, isHookWord } from './map-hooks.ts'
import type { Mapped, MapState } from './map-state.ts'
import { mapTask } from './map-tasks.ts'
import { localCommandOutput } from './map-user.ts'
import { defined, type Fields, finite, integer, list, record, text } from './untrusted.ts'

export function mapSystem(state: MapState, message: Fields): Mapped | undefined {
  if (message.subtype === 'session_state_changed') return { state: sessionState(state, message), events: [] }
  if (message.subtype === 'init') return initialised(state, message)
  const task = mapTask(state, message)
  if (task !== undefined) return task
  const events = systemEvents(state, message)
  return events === undefined ? undefined : { state, events }
}

function systemEvents(state: MapState, message: Fields): NewEvent[] | undefined {
  switch (message.subtype) {
    case 'status':
      return statusEvents(state, message)
    case 'compact_boundary':
      return [compactBoundary(record(message.compact_metadata))]
    case 'api_retry':
      return apiRetry(message)
    case 'local_command_output':
    case 'local_command':
      return localCommand(message)
    case 'informational':
      if (isDroppedInformation(message.content) || isHookWord(message)) return []
      return notice(message.content, message.level === 'warning', text(message.tag) ?? 'informational')
    case 'notification':
      if (message.key === 'stop-hook-error') return []
      return notice(message.text, message.priority === 'immediate', text(message.key) ?? 'notification')
    case 'permission_denied':
      return notice(prefixed(message.tool_name, message.message), true, 'permission_denied')
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
    case 'model_fallback':
      return notice(message.content, true, message.subtype)
    case 'hook_response':
      return hookResult(message)
    case 'session_writes_lost':
      return [{ ...noticeOf(writesLost(message), message.subtype), level: 'warning' }]
    case 'mirror_error':
      return notice(message.error, true, message.subtype)
    default:
      return undefined
  }
}

function sessionState(state: MapState, message: Fields): MapState {
  if (message.state === 'running') return { ...state, session: 'working' }
  if (message.state === 'requires_action') return { ...state, session: 'waiting' }
  return message.state === 'idle' ? { ...state, session: 'idle' } : state
}

/** Sent when each turn begins. */
function initialised(state: MapState, message: Fields): Mapped {
  const status: NewEvent = {
    type: 'session_status',
    state: 'working',
    live: true,
    ...defined({
      model: shortText(message.model),
      permission_mode: permissionMode(message.permissionMode),
      cli_session_id: shortText(message.session_id),
      cwd: shortText(message.cwd),
    }),
    mcp_servers: mcpServers(message),
  }
  return { state: { ...state, session: 'working' }, events: [status] }
}

/** Servers with the number of their tools, which are known by their names. */
function mcpServers(message: Fields): McpServerHealth[] {
  const tools = list(message.tools).filter((tool) => typeof tool === 'string')
  return list(message.mcp_servers)
    .slice(0, limits.blocks)
    .flatMap((server) => {
      const { name, status, error } = record(server)
      const prefix = `mcp__${String(name).replace(/[^a-zA-Z0-9_-]/g, '_')}__`
      const health = mcpServerHealthSchema.safeParse({
        name: shortText(name),
        status,
        error: shortText(error),
        tool_count: tools.filter((tool) => tool.startsWith(prefix)).length,
      })
      return health.success ? [defined(health.data) as McpServerHealth] : []
    })
}

function statusEvents(state: MapState, message: Fields): NewEvent[] {
  const mode = permissionMode(message.permissionMode)
  const events: NewEvent[] = []
  if (mode !== undefined)
    events.push({ type: 'session_status', state: state.session, live: true, permission_mode: mode })
  if (message.status === 'compacting') events.push(noticeOf(say('notice_compacting'), 'compacting'))
  if (message.compact_result === 'failed')
    events.push(
      ...(notice(message.compact_error, true, 'compact_failed') ?? [
        { ...noticeOf(say('notice_compacting_failed'), 'compact_failed'), level: 'warning' as const },
      ]),
    )
  return events
}

function compactBoundary(metadata: Fields): NewEvent {
  return {
    type: 'compact_boundary',
    ...defined({ trigger: shortText(metadata.trigger), tokens_before: finite(metadata.pre_tokens) }),
  }
}

function apiRetry(message: Fields): NewEvent[] | undefined {
  const attempt = integer(message.attempt)
  if (attempt === undefined) return undefined
  return [
    {
      type: 'api_retry',
      attempt,
      ...defined({
        max_attempts: integer(message.max_retries),
        delay_ms: finite(message.retry_delay_ms),
        status: integer(message.error_status),
        message: shortText(message.error),
      }),
    },
  ]
}

/** What a slash command printed, as the agent's words: live it comes as such, in a transcript as a system entry. */
function localCommand(message: Fields): NewEvent[] | undefined {
  const id = text(message.uuid)
  if (id === undefined || typeof message.content !== 'string') return undefined
  // Live, the CLI trims it.
  const output = (localCommandOutput(message.content) ?? message.content).trim()
  return textEvents('text', { messageId: short(id), index: 0, parent: undefined }, output)
}

function writesLost(message: Fields): Saying {
  const parts = list(message.lost)
    .filter((part) => typeof part === 'string')
    .slice(0, limits.blocks)
    .map(short)
  const code = text(message.error_code)
  return say('notice_writes_lost', { code: code && short(code), parts })
}

const prefixed = (name: unknown, words: unknown): string =>
  [shortText(name), shortText(words)].filter((part) => part !== undefined).join(': ')

function notice(words: unknown, isWarning: boolean, code: string): NewEvent[] | undefined {
  const message = shortText(words)
  if (message === undefined) return undefined
  return [{ type: 'notice', level: isWarning ? 'warning' : 'info', code: short(code), message }]
}

/** A mode that the contract does not know is left out, rather than shown as another. */
function permissionMode(value: unknown): PermissionMode | undefined {
  const parsed = permissionModeSchema.safeParse(value)
  return parsed.success ? parsed.data : undefined
}

function shortText(value: unknown): string | undefined {
  const words = text(value)
  return words === undefined ? undefined : short(words)
}
