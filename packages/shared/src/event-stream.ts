/** How frames of an event stream are written as server-sent events, and read again. Both sides use this one file. */

import type { StreamFrame } from './event.ts'
import { isRecord } from './is-record.ts'
import type { AcceptedMessage } from './session.ts'

/** What `POST …/messages` streams: the acceptance, then the events of the turn until it ends. */
export type MessageFrame = Extract<StreamFrame, { frame: 'message' | 'closing' }> | AcceptedFrame

export interface AcceptedFrame {
  frame: 'accepted'
  accepted: AcceptedMessage
}

/** Standard time between two heartbeat comments. A client that hears nothing for 2.5 of them reconnects. */
export const heartbeatMs = 15_000

/** One SSE record. `json` must be on one line, as `JSON.stringify` makes it. */
export function encodeRecord(json: string, record: { event?: string; id?: string; retry?: number }): string {
  const event = record.event === undefined ? '' : `event: ${record.event}\n`
  const id = record.id === undefined ? '' : `id: ${record.id}\n`
  const retry = record.retry === undefined ? '' : `retry: ${record.retry}\n`
  return `${event}${id}${retry}data: ${json}\n\n`
}

/** A whole frame. Events travel as plain messages; all others are named. */
export function encodeFrame(frame: StreamFrame | AcceptedFrame, id?: string): string {
  const position = id === undefined ? {} : { id }
  switch (frame.frame) {
    case 'message':
      return encodeRecord(JSON.stringify(frame.event), position)
    case 'server':
      return encodeRecord(JSON.stringify(frame.event), { event: 'server', ...position })
    case 'accepted':
      return encodeRecord(JSON.stringify(frame.accepted), { event: 'accepted', ...position })
    case 'closing':
      return encodeRecord(JSON.stringify({ retry_ms: frame.retry_ms }), {
        event: 'closing',
        retry: frame.retry_ms,
      })
    default: {
      const { frame: event, ...rest } = frame
      return encodeRecord(JSON.stringify(rest), { event, ...position })
    }
  }
}

/**
 * The frame of one SSE record; undefined for one that this version does not know, which a client passes over. Frames are
 * checked for the fields that a reader relies on. Events are not checked against the whole union: a newer server may send
 * types that are not in it, and losing those would be worse than showing them as unknown.
 */
export function decodeFrame(
  event: string | undefined,
  data: string,
): StreamFrame | AcceptedFrame | undefined {
  const value = parseObject(data)
  if (!value) return undefined
  switch (event ?? 'message') {
    case 'message':
      return hasText(value, 'id') && hasText(value, 'session') && hasText(value, 'type')
        ? as({ frame: 'message', event: value })
        : undefined
    case 'server':
      return hasText(value, 'type') ? as({ frame: 'server', event: value }) : undefined
    case 'accepted':
      return isRecord(value.turn) ? as({ frame: 'accepted', accepted: value }) : undefined
    case 'snapshot':
      return hasText(value, 'session') && isRecord(value.snapshot)
        ? as({ ...value, frame: 'snapshot' })
        : undefined
    case 'server_snapshot':
      return isRecord(value.snapshot) ? as({ ...value, frame: 'server_snapshot' }) : undefined
    case 'resync':
      return hasText(value, 'reason')
        ? { frame: 'resync', session: hasText(value, 'session') ? value.session : null, reason: value.reason }
        : undefined
    case 'closing':
      return { frame: 'closing', retry_ms: typeof value.retry_ms === 'number' ? value.retry_ms : 1000 }
    default:
      return undefined
  }
}

function as(frame: object): StreamFrame | AcceptedFrame {
  return frame as StreamFrame | AcceptedFrame
}

function parseObject(data: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function hasText<K extends string>(
  value: Record<string, unknown>,
  key: K,
): value is Record<string, unknown> & Record<K, string> {
  return typeof value[key] === 'string'
}
