/** Follows like the client does, on a place that may have to be shared with other tabs: then in turns, each from where the last one ended. */
import type { ApiClient, ConnectionState, FollowAllOptions, PositionedFrame } from '@dorkos/shared'
import type { StreamPlace, StreamPlaces } from './stream-places.ts'

type Follow = ApiClient['followAll']

/** How long a tab keeps a place that others wait for. */
const turnMs = 1000
/** The same for a tab that still waits for what it has not seen at all. */
const longTurnMs = 10_000

export function followInTurns(followAll: Follow, places: StreamPlaces): Follow {
  return async function* inTurns(options) {
    const signal = options.signal ?? new AbortController().signal
    const stand: Stand = {
      sessions: options.sessions,
      known: new Set(options.cursor === undefined ? [] : (options.known ?? options.sessions)),
      cursor: options.cursor,
      isOpen: false,
    }
    while (!signal.aborted) {
      const place = await places.take(signal)
      if (place === undefined) return
      try {
        if (!signal.aborted) yield* oneTurn(followAll, options, stand, place)
      } finally {
        place.release()
      }
    }
  }
}

/** How far the stream has come over all turns. */
interface Stand {
  readonly sessions: readonly string[]
  readonly known: Set<string>
  cursor: string | undefined
  isOpen: boolean
}

async function* oneTurn(
  followAll: Follow,
  options: FollowAllOptions,
  stand: Stand,
  place: StreamPlace,
): AsyncGenerator<PositionedFrame, void, undefined> {
  const over = new AbortController()
  const end = () => over.abort()
  options.signal?.addEventListener('abort', end)
  const startedAt = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const hasHad = isComplete(stand) || Date.now() - startedAt > longTurnMs
    if (hasHad && (await place.isWanted())) end()
    else if (!over.signal.aborted) timer = setTimeout(() => void look(), turnMs)
  }
  const onState = (state: ConnectionState) => {
    if (state.state === 'closed') return
    // Between two turns nothing is broken.
    if (state.state !== 'connecting' || !stand.isOpen) options.onState?.(state)
    stand.isOpen = state.state === 'open' || (stand.isOpen && state.state === 'connecting')
    if (state.state === 'connecting') return
    clearTimeout(timer)
    timer = setTimeout(() => void look(), turnMs)
  }
  try {
    const known = stand.sessions.filter((id) => stand.known.has(id))
    const { cursor } = stand
    const from = { ...options, known, signal: over.signal, onState }
    for await (const frame of followAll(cursor === undefined ? withoutCursor(from) : { ...from, cursor })) {
      note(frame, stand)
      yield frame
    }
  } finally {
    clearTimeout(timer)
    end()
    options.signal?.removeEventListener('abort', end)
  }
}

function withoutCursor({ cursor: _cursor, ...rest }: FollowAllOptions): FollowAllOptions {
  return rest
}

function isComplete({ sessions, known, cursor, isOpen }: Stand): boolean {
  return !isOpen || (cursor !== undefined && sessions.every((id) => known.has(id)))
}

function note(frame: PositionedFrame, stand: Stand): void {
  if (frame.frame === 'resync') {
    if (frame.session === null) stand.known.clear()
    else stand.known.delete(frame.session)
    if (frame.session === null) stand.cursor = undefined
  }
  if (frame.cursor !== undefined) stand.cursor = frame.cursor
  if (frame.frame === 'snapshot') stand.known.add(frame.session)
}
