/** The page's one outbox: keeps what is to be sent in this browser's storage, and sends it. */
import { ApiError, type MessageContent, NetworkError } from '@dorkos/shared'
import { errorText, api as pageApi } from '../api.ts'
import { currentPrincipal, onAuthChange } from '../auth/auth-store.ts'
import { onForget } from '../auth/private-state.ts'
import { text } from '../text/text.ts'
import { keysWith, readJson, writeJson } from './local-json.ts'
import { newKey } from './new-key.ts'
import {
  dueEntries,
  fromStored,
  newEntry,
  nextDueAt,
  type Outbox,
  type OutboxEntry,
  type OutboxInput,
  othersEntries,
  reduceOutbox,
  toStored,
} from './outbox.ts'

const prefix = 'dorkos.outbox.'
/** How long an accepted message is kept for a conversation that is behind; for one that steers, for an agent that is busy. */
const keptMs = { queue: 60_000, steer: 30 * 60_000 }

export interface OutboxStore {
  get(): Outbox
  subscribe(listener: () => void): () => void
  /** Takes a message: from now on it is kept until the server has it. */
  add(sessionId: string, content: MessageContent, delivery: 'queue' | 'steer'): void
  /** A message that waited goes into the running turn: it is shown until the conversation has it. */
  steered(sessionId: string, content: MessageContent, turnId: string): void
  /** Tries one again, or all that wait. */
  retry(key?: string): void
  remove(key: string): void
  /** Lets go of all, also of what is being sent. */
  clear(): void
}

type Client = Pick<typeof pageApi, 'sendMessage'>

/** `principal`: who is signed in now. While nobody is, all waits. */
export function createOutboxStore(
  client: Client,
  principal: () => string | undefined = currentPrincipal,
  now: () => number = Date.now,
): OutboxStore {
  let outbox: Outbox = loadEntries()
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const dispatch = (input: OutboxInput) => {
    outbox = reduceOutbox(outbox, input)
    for (const listener of listeners) listener()
  }
  const settle = (entry: OutboxEntry, error: unknown) => {
    const { key } = entry
    if (error instanceof NetworkError) return dispatch({ type: 'unreachable', key, now: now() })
    if (error instanceof ApiError && (error.code === 'unavailable' || error.code === 'rate_limited')) {
      const afterMs = (error.retryAfterSeconds ?? 5) * 1000
      return dispatch({ type: 'unreachable', key, now: now(), afterMs })
    }
    dispatch({ type: 'refused', key, fault: errorText(error) })
  }
  const send = async (entry: OutboxEntry) => {
    const { key, sessionId, content, delivery } = entry
    dispatch({ type: 'sending', key })
    try {
      const { turn } = await client.sendMessage({
        params: { id: sessionId },
        body: { content, delivery },
        idempotencyKey: key,
      })
      writeJson(prefix + key, undefined)
      dispatch({ type: 'accepted', key, turnId: turn.id, now: now() })
      setTimeout(() => dispatch({ type: 'removed', key }), keptMs[delivery])
    } catch (error) {
      settle(entry, error)
    }
    pump()
  }
  const pump = () => {
    clearTimeout(timer)
    const me = principal()
    if (me === undefined) return
    for (const { key } of othersEntries(outbox, me))
      dispatch({ type: 'refused', key, fault: text.composer.outbox.byAnother })
    for (const entry of dueEntries(outbox, now())) void send(entry)
    const next = nextDueAt(outbox)
    if (next !== undefined) timer = setTimeout(pump, Math.max(50, next - now()))
  }

  // Another tab has sent it or thrown it away.
  globalThis.addEventListener?.('storage', ({ key, newValue }: StorageEvent) => {
    if (key?.startsWith(prefix) && newValue === null)
      dispatch({ type: 'removed', key: key.slice(prefix.length) })
  })
  if (outbox.length > 0) queueMicrotask(pump)
  return {
    get: () => outbox,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(sessionId, content, delivery) {
      const entry = newEntry({ key: newKey(), sessionId, content, delivery, principal: principal() }, now())
      keep(entry)
      dispatch({ type: 'added', entry })
      pump()
    },
    steered(sessionId, content, turnId) {
      const entry = newEntry(
        { key: turnId, sessionId, content, delivery: 'steer', principal: principal() },
        now(),
      )
      dispatch({ type: 'added', entry: { ...entry, state: 'accepted', turnId, acceptedAt: now() } })
      setTimeout(() => dispatch({ type: 'removed', key: turnId }), keptMs.steer)
    },
    retry(key) {
      const me = principal()
      dispatch({
        type: 'retry',
        ...(key !== undefined && { key }),
        ...(me !== undefined && { principal: me }),
      })
      const wanted = outbox.find((entry) => entry.key === key)
      if (wanted?.state === 'ready') keep(wanted)
      pump()
    },
    remove(key) {
      writeJson(prefix + key, undefined)
      dispatch({ type: 'removed', key })
      pump()
    },
    clear() {
      clearTimeout(timer)
      for (const { key } of outbox) dispatch({ type: 'removed', key })
    },
  }
}

/** Resolves when nothing of the session is under way to the server, or after so many milliseconds. */
export function whenSent(outbox: OutboxStore, sessionId: string, mostMs: number): Promise<void> {
  const isUnderWay = () =>
    outbox.get().some((entry) => entry.sessionId === sessionId && entry.state === 'sending')
  if (!isUnderWay()) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(late)
      stop()
      resolve()
    }
    const late = setTimeout(done, mostMs)
    const stop = outbox.subscribe(() => {
      if (!isUnderWay()) done()
    })
  })
}

/** Whole if there is room for it, else without its attachments. */
function keep(entry: OutboxEntry): void {
  if (writeJson(prefix + entry.key, toStored(entry))) return
  const { content } = entry
  if (typeof content === 'string') return
  const texts = content.filter(({ type }) => type === 'text')
  writeJson(prefix + entry.key, {
    ...toStored({ ...entry, content: texts }),
    lost: content.length - texts.length,
  })
}

function loadEntries(): Outbox {
  return keysWith(prefix)
    .flatMap((key) => fromStored(readJson(key), text.composer.outbox.lost) ?? [])
    .toSorted((a, b) => a.createdAt - b.createdAt)
}

let store: OutboxStore | undefined

/** Made at the first use, when it is known that somebody is signed in. */
export function pageOutbox(): OutboxStore {
  if (!store) {
    store = createOutboxStore(pageApi)
    window.addEventListener('online', () => store?.retry())
    // Somebody signed in: what waited goes on, or is kept back.
    onAuthChange(() => store?.retry())
    onForget(() => store?.clear())
  }
  return store
}
