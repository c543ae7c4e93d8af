/**
 * Messages on their way to the server. One stays until the server has it on disk (or a person throws it away), through failures, reloads and
 * restarts; the same key goes with every try, so that it arrives once.
 */
import type { MessageContent } from '@dorkos/shared'

export interface OutboxEntry {
  /** The idempotency key. */
  readonly key: string
  readonly sessionId: string
  readonly content: MessageContent
  readonly delivery: 'queue' | 'steer'
  /** Who wrote it: it is never sent on behalf of another by itself. */
  readonly principal: string | undefined
  readonly createdAt: number
  /**
   * `ready`: to be sent next. `sending`. `waiting`: no answer came; it is tried again. `failed`: the server refused it; a person decides.
   * `accepted`: the server has it; it stays in sight until the conversation shows it.
   */
  readonly state: 'ready' | 'sending' | 'waiting' | 'failed' | 'accepted'
  readonly fault?: string
  readonly attempts: number
  /** When the next try is due, while it waits. */
  readonly retryAt?: number
  /** Once accepted. */
  readonly turnId?: string
  readonly acceptedAt?: number
}

export type OutboxInput =
  | { type: 'added'; entry: OutboxEntry }
  | { type: 'sending'; key: string }
  | { type: 'accepted'; key: string; turnId: string; now: number }
  | { type: 'unreachable'; key: string; now: number; afterMs?: number }
  | { type: 'refused'; key: string; fault: string }
  /** A person wants it tried now, or the connection is back. */
  | { type: 'retry'; key?: string; principal?: string }
  | { type: 'removed'; key: string }

export type Outbox = readonly OutboxEntry[]

const firstRetryMs = 1000
const lastRetryMs = 30_000

export function newEntry(
  message: Pick<OutboxEntry, 'key' | 'sessionId' | 'content' | 'delivery' | 'principal'>,
  now: number,
): OutboxEntry {
  return { ...message, createdAt: now, state: 'ready', attempts: 0 }
}

export function reduceOutbox(outbox: Outbox, input: OutboxInput): Outbox {
  switch (input.type) {
    case 'added':
      return outbox.some(({ key }) => key === input.entry.key) ? outbox : [...outbox, input.entry]
    case 'removed':
      return outbox.filter(({ key }) => key !== input.key)
    case 'retry':
      return outbox.map((entry) => (retries(entry, input.key) ? retried(entry, input) : entry))
    default:
      return outbox.map((entry) => (entry.key === input.key ? changed(entry, input) : entry))
  }
}

function retries({ key, state }: OutboxEntry, wanted: string | undefined): boolean {
  if (wanted === undefined) return state === 'waiting'
  return key === wanted && (state === 'waiting' || state === 'failed')
}

/** Who wants one of them sent makes it their own. */
function retried(entry: OutboxEntry, { key, principal }: { key?: string; principal?: string }): OutboxEntry {
  return key === undefined || principal === undefined ? ready(entry) : { ...ready(entry), principal }
}

function ready(entry: OutboxEntry): OutboxEntry {
  const { fault: _fault, retryAt: _retryAt, ...rest } = entry
  return { ...rest, state: 'ready' }
}

function changed(
  entry: OutboxEntry,
  input: Extract<OutboxInput, { type: 'sending' | 'accepted' | 'unreachable' | 'refused' }>,
): OutboxEntry {
  switch (input.type) {
    case 'sending':
      return { ...ready(entry), state: 'sending', attempts: entry.attempts + 1 }
    case 'accepted':
      return { ...ready(entry), state: 'accepted', turnId: input.turnId, acceptedAt: input.now }
    case 'refused':
      return { ...ready(entry), state: 'failed', fault: input.fault }
    case 'unreachable': {
      const delay =
        input.afterMs ?? Math.min(lastRetryMs, firstRetryMs * 2 ** Math.max(0, entry.attempts - 1))
      return { ...ready(entry), state: 'waiting', retryAt: input.now + delay }
    }
  }
}

/** What would go out next, but was written by somebody else than who is signed in now. */
export function othersEntries(outbox: Outbox, principal: string): OutboxEntry[] {
  return outbox.filter(
    (entry) => (entry.state === 'ready' || entry.state === 'waiting') && entry.principal !== principal,
  )
}

/** What is to be sent now: of each session the oldest, and none while another of that session is on its way or waits for a new try. */
export function dueEntries(outbox: Outbox, now: number): OutboxEntry[] {
  const busy = new Set<string>()
  const due: OutboxEntry[] = []
  for (const entry of outbox) {
    if (entry.state === 'failed' || entry.state === 'accepted' || busy.has(entry.sessionId)) continue
    busy.add(entry.sessionId)
    const isDue = entry.state === 'ready' || (entry.state === 'waiting' && (entry.retryAt ?? 0) <= now)
    if (isDue) due.push(entry)
  }
  return due
}

/** When there is something to do next, if it is only a matter of time. */
export function nextDueAt(outbox: Outbox): number | undefined {
  const times = outbox.flatMap(({ state, retryAt }) =>
    state === 'waiting' && retryAt !== undefined ? [retryAt] : [],
  )
  return times.length === 0 ? undefined : Math.min(...times)
}

/** What a reload keeps of an entry. Attachments that are too large for it are left out, and counted. */
export interface StoredEntry {
  readonly key: string
  readonly sessionId: string
  readonly content: MessageContent
  readonly delivery: 'queue' | 'steer'
  readonly principal?: string | undefined
  readonly createdAt: number
  readonly lost?: number
}

const maxStoredBytes = 1_000_000

export function toStored(entry: OutboxEntry): StoredEntry {
  const { key, sessionId, content, delivery, principal, createdAt } = entry
  const stored = { key, sessionId, content, delivery, principal, createdAt }
  if (typeof content === 'string' || JSON.stringify(content).length <= maxStoredBytes) return stored
  const texts = content.filter(({ type }) => type === 'text')
  return { ...stored, content: texts, lost: content.length - texts.length }
}

/**
 * An entry from an earlier page. It is sent by itself only if it is whole: one that lost its attachments is another message than the one
 * that may have arrived, so a person must check it.
 */
export function fromStored(value: unknown, lostText: (count: number) => string): OutboxEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { key, sessionId, content, delivery, principal, createdAt, lost } = value as Record<string, unknown>
  if (typeof key !== 'string' || typeof sessionId !== 'string') return undefined
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  const entry: OutboxEntry = {
    key,
    sessionId,
    content: content as MessageContent,
    delivery: delivery === 'steer' ? 'steer' : 'queue',
    principal: typeof principal === 'string' ? principal : undefined,
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
    state: 'ready',
    attempts: 0,
  }
  return typeof lost === 'number' && lost > 0 ? { ...entry, state: 'failed', fault: lostText(lost) } : entry
}

/** For how long nothing is said: most messages are there before anybody could read a word about it. */
export const quietMs = 600

/** What a person should see of a session's outbox. `isKnown`: the conversation shows the message with this turn. */
export function shownEntries(
  outbox: Outbox,
  sessionId: string,
  isKnown: (turnId: string) => boolean,
  now: number,
): OutboxEntry[] {
  return outbox.filter((entry) => {
    if (entry.sessionId !== sessionId) return false
    if (entry.state === 'waiting' || entry.state === 'failed') return true
    if (entry.turnId !== undefined && isKnown(entry.turnId)) return false
    return now - (entry.acceptedAt ?? entry.createdAt) >= quietMs
  })
}
