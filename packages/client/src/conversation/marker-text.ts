/** What happened around the conversation, in a line and how loud it is. */
import type { MarkerItem } from '../live/page-session.ts'
import { serverWords } from '../text/server-words.ts'
import { text } from '../text/text.ts'
import { formatCount, formatDateTime, formatTime } from '../ui/format.ts'
import type { Tone } from '../ui/notice.tsx'

export interface MarkerView {
  words: string
  /** Said after it, smaller. */
  more: string
  tone: Tone
}

/** Hooks have a row of their own. */
export type Marker = Exclude<MarkerItem['marker'], { type: 'hook' }>
type MarkerOf<T extends Marker['type']> = Extract<Marker, { type: T }>

export function markerView(marker: Marker): MarkerView {
  const words = text.conversation
  switch (marker.type) {
    case 'compaction':
      return { words: words.compacted, more: compaction(marker), tone: 'neutral' }
    case 'retry':
      return { words: words.retrying(marker.attempt, marker.maxAttempts), more: retry(marker), tone: 'warn' }
    case 'rate_limit':
      return rateLimit(marker)
    case 'notice':
      return {
        words: serverWords(marker.said, marker.message),
        more: '',
        tone: marker.level === 'warning' ? 'warn' : 'neutral',
      }
    case 'error':
      return { words: serverWords(marker.said, marker.message), more: '', tone: 'danger' }
    case 'woken':
      return { words: words.woken[marker.cause], more: '', tone: 'neutral' }
    case 'taken_over':
      return { words: words.takenOver, more: '', tone: 'neutral' }
  }
}

function compaction({ trigger, tokensBefore }: MarkerOf<'compaction'>): string {
  return join([
    trigger === 'manual' ? text.conversation.compactedByHand : '',
    tokensBefore === undefined ? '' : text.conversation.compactedFrom(formatCount(tokensBefore)),
  ])
}

function retry({ status, message }: MarkerOf<'retry'>): string {
  return join([status === undefined ? '' : text.conversation.statusCode(status), message ?? ''])
}

function rateLimit({ status, limit, resetsAt, utilization }: MarkerOf<'rate_limit'>): MarkerView {
  const words = text.conversation
  const refused = status === 'rejected'
  return {
    words: refused ? words.rateLimited : words.rateLimitNear,
    more: join([
      limit === undefined ? '' : limitName(limit),
      utilization === undefined ? '' : words.rateLimitUsed(percentUsed(utilization)),
      resetsAt === undefined ? '' : words.rateLimitResets(resetTime(resetsAt)),
    ]),
    tone: refused ? 'danger' : 'warn',
  }
}

export function limitName(kind: string): string {
  const kinds: Readonly<Record<string, string>> = text.conversation.rateLimitKinds
  return (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? kind
}

/** The CLI reports it as a part of one or of a hundred. */
export function percentUsed(utilization: number): number {
  return Math.round(utilization <= 1 ? utilization * 100 : utilization)
}

/** The hour is enough for today. */
export function resetTime(time: string): string {
  const isSoon = Date.parse(time) - Date.now() < 12 * 3600 * 1000
  return isSoon ? formatTime(time) : formatDateTime(time)
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
