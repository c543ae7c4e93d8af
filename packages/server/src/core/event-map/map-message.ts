/**
 * Messages of the CLI → events. Pure: the same messages give the same events, whether they come live or from a
 * transcript. Any field may be missing or wrong; what cannot be understood passes as `cli_message`.
 */

import { isRecord, type NewEvent, say } from '@dorkos/shared'
import { noticeOf } from '../notice.ts'
import type { CliMessage } from '../ports/agent.ts'
import { boundedValue, jsonBytes, limits, short, sizeNote } from './bounded-value.ts'
import { droppedMessages, messageKind } from './dropped-messages.ts'
import { mapAssistant, mapStreamEvent } from './map-assistant.ts'
import type { Mapped, MapState } from './map-state.ts'
import { mapSystem } from './map-system.ts'
import { mapUser } from './map-user.ts'
import { checkedTime, defined, type Fields, finite, record, text } from './untrusted.ts'

export { initialMapState, type MapState } from './map-state.ts'

export function mapMessage(state: MapState, message: CliMessage): Mapped {
  // The type is a promise of the port's, not of the CLI's.
  const untrusted: unknown = message
  if (!isRecord(untrusted)) return { state, events: [] }
  const parent = text(untrusted.parent_tool_use_id)
  switch (untrusted.type) {
    case 'stream_event':
      return mapStreamEvent(state, untrusted, parent && short(parent))
    case 'assistant':
      return mapAssistant(state, untrusted, parent && short(parent))
    case 'user':
      return mapUser(state, untrusted, parent && short(parent))
    case 'system':
      return mapSystem(state, untrusted) ?? { state, events: opaque(untrusted) }
    default:
      return { state, events: otherEvents(untrusted) ?? opaque(untrusted) }
  }
}

function otherEvents(message: Fields): NewEvent[] | undefined {
  switch (message.type) {
    case 'tool_progress':
      return toolProgress(message)
    case 'rate_limit_event':
      return rateLimit(record(message.rate_limit_info))
    case 'conversation_reset':
      return [noticeOf(say('notice_cleared'), 'conversation_reset')]
    case 'auth_status':
      return authStatus(message)
    default:
      return undefined
  }
}

function toolProgress(message: Fields): NewEvent[] | undefined {
  const toolCallId = text(message.tool_use_id)
  if (toolCallId === undefined) return undefined
  const parent = text(message.parent_tool_use_id)
  const name = text(message.tool_name)
  const words = text(message.text)
  return [
    {
      type: 'tool_progress',
      ...defined({
        tool_call_id: short(toolCallId),
        parent: parent && short(parent),
        name: name && short(name),
        elapsed_seconds: finite(message.elapsed_time_seconds),
        text: words && short(words),
      }),
    },
  ]
}

function rateLimit(info: Fields): NewEvent[] | undefined {
  const status = text(info.status)
  if (status === undefined) return undefined
  const kind = text(info.rateLimitType)
  const resetsAt = finite(info.resetsAt)
  return [
    {
      type: 'rate_limit',
      status: short(status),
      ...defined({
        kind: kind && short(kind),
        resets_at: resetsAt === undefined ? undefined : checkedTime(resetsAt * 1000),
        utilization: finite(info.utilization),
      }),
      detail: boundedValue(info, limits.detailBytes),
    },
  ]
}

function authStatus(message: Fields): NewEvent[] | undefined {
  const error = text(message.error)
  return error === undefined
    ? undefined
    : [{ type: 'notice', level: 'warning', code: 'auth_status', message: short(error) }]
}

function opaque(message: Fields): NewEvent[] {
  const kind = messageKind(message)
  if (kind in droppedMessages || String(message.type) in droppedMessages) return []
  const isLarge = jsonBytes(message, limits.messageBytes) > limits.messageBytes
  return [{ type: 'cli_message', kind, message: isLarge ? sizeNote(message) : message }]
}
