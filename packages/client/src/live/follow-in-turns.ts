/** Follows like the client does, on a slot that may have to be shared with other tabs: then in turns, each from where the last one ended. */
import {
  type ApiClient,
  type ConnectionState,
  type FollowAllOptions,
  StreamCursor,
  type StreamFrame,
} from '@dorkos/shared'
import type { StreamSlot, StreamSlots } from './stream-slots.ts'

type Follow = ApiClient['followAll']

/** How long a tab keeps a slot that others wait for. */
const turnMs = 1000
/** The same for a tab that still waits for what it has not seen at all. */
const longTurnMs = 10_000

export function followInTurns(followAll: Follow, slots: StreamSlots): Follow {
  return async function* inTurns(options) {
    const signal = options.signal ?? new AbortController().signal
    const stand: Stand = {
      sessions: options.sessions,
      cursor: new StreamCursor(options.cursor),
      isOpen: false,
    }
    while (!signal.aborted) {
      const slot = await slots.take(signal)
      if (slot === undefined) return
      try {
        if (!signal.aborted) yield* oneTurn(followAll, options, stand, slot)
      } finally {
        slot.release()
      }
    }
  }
}

/** How far the stream has come over all turns. */
interface Stand {
  readonly sessions: readonly string[]
  readonly cursor: StreamCursor
  isOpen: boolean
}

async function* oneTurn(
  followAll: Follow,
  options: FollowAllOptions,
  stand: Stand,
  slot: StreamSlot,
): AsyncGenerator<StreamFrame, void, undefined> {
  const over = new AbortController()
  const end = () => over.abort()
  options.signal?.addEventListener('abort', end)
  const startedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const checkTurn = async () => {
    const hasHad = isComplete(stand) || Date.now() - startedAt > longTurnMs
    if (hasHad && (await slot.isWanted())) end()
    else if (!over.signal.aborted) timer = setTimeout(() => void checkTurn(), turnMs)
  }
  const onState = (state: ConnectionState) => {
    if (state.state === 'closed') return
    // Between two turns nothing is broken.
    if (state.state !== 'connecting' || !stand.isOpen) options.onState?.(state)
    stand.isOpen = state.state === 'open' || (stand.isOpen && state.state === 'connecting')
    if (state.state === 'connecting') return
    clearTimeout(timer)
    timer = setTimeout(() => void checkTurn(), turnMs)
  }
  try {
    const { cursor } = stand
    for await (const frame of followAll({ ...options, cursor, signal: over.signal, onState })) {
      cursor.note(frame)
      yield frame
    }
  } finally {
    clearTimeout(timer)
    end()
    options.signal?.removeEventListener('abort', end)
  }
}

function isComplete({ sessions, cursor, isOpen }: Stand): boolean {
  return !isOpen || sessions.every((id) => cursor.has(id))
}
