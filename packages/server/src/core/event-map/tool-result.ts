/** A `tool_result` block → the event, with what the tool itself returned beside it. */
import type { NewEvent } from '@dorkos/shared'
import { boundedValue, limits, short } from './bounded-value.ts'
import { boundedContent } from './content-blocks.ts'
import { savedOutput } from './saved-output.ts'
import { cliTime, defined, type Fields, list, record, text } from './untrusted.ts'

type Stopped = Extract<NewEvent, { type: 'tool_result' }>['stopped']

interface ResultFacts {
  /** What the tool itself returned. */
  detail?: unknown
  parent: string | undefined
  stopped?: Stopped
  /** A hook denied it. */
  byHook?: boolean
  /** The `timestamp` of the message that holds it. */
  time?: unknown
}

export function resultEvents(block: Fields, facts: ResultFacts): NewEvent[] {
  const toolCallId = text(block.tool_use_id)
  if (toolCallId === undefined) return []
  const { detail, parent, stopped, byHook, time } = facts
  const content = boundedContent(block.content, limits.resultTextBytes)
  const omittedBytes = content.omittedBytes + (savedOutput(block.content, detail)?.bytes ?? 0)
  const event: NewEvent = {
    type: 'tool_result',
    ...defined({ tool_call_id: short(toolCallId), parent, cli_time: cliTime(time) }),
    content: content.blocks,
    is_error: block.is_error === true,
    ...(stopped !== undefined && { stopped }),
    ...(stopped === 'denied' && byHook === true && { denied_by: 'hook' as const }),
    ...(detail !== undefined && detail !== null && { detail: boundedValue(detail, limits.detailBytes) }),
    ...(omittedBytes > 0 && { omitted_bytes: omittedBytes }),
  }
  return [event]
}

/** Why a call has no result of its own, as the CLI notes it beside the message (2.1.325: `tool_result_meta`). */
export function stoppedBy(message: Fields, block: Fields): Stopped {
  if (block.is_error !== true) return undefined
  const note = resultNote(message, block)
  const kind = text(note.non_execution_kind) ?? ''
  if (record(note.permission_decision).decision === 'reject' || /^(permission|automode)-/.test(kind))
    return 'denied'
  return ['user-rejected', 'interrupted', 'cancelled'].includes(kind) ? 'interrupted' : undefined
}

export function isDeniedByHook(message: Fields, block: Fields): boolean {
  const { decision, source } = record(resultNote(message, block).permission_decision)
  return decision === 'reject' && source === 'hook'
}

function resultNote(message: Fields, block: Fields): Fields {
  return record(list(message.tool_result_meta).find((one) => record(one).id === block.tool_use_id))
}
