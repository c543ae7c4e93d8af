/** What is said about the connection. */
import type { ConnectionView } from '../live/connection-state.ts'
import { text } from '../text/text.ts'
import { formatDuration } from '../ui/format.ts'

export interface ConnectionWords {
  /** Said by screen readers, once for each change. */
  readonly title: string
  /** Counts on each second: only shown. */
  readonly details: readonly string[]
  readonly canTry: boolean
}

/** Undefined while all is well. */
export function connectionWords(connection: ConnectionView): ConnectionWords | undefined {
  const { state, retryInMs, behind, catchingUp } = connection
  const words = text.shell
  if (state === 'open')
    return catchingUp ? { title: words.catchingUp, details: [], canTry: false } : undefined
  const heard = behind >= 1000 ? [words.lastHeard(seconds(behind))] : []
  if (state === 'offline') return { title: words.offline, details: heard, canTry: true }
  const next =
    retryInMs !== undefined && retryInMs >= 500 ? words.nextTry(seconds(retryInMs)) : words.tryingNow
  if (state === 'connecting') return { title: words.connecting, details: [], canTry: false }
  return { title: words.reconnecting, details: [...heard, next], canTry: true }
}

function seconds(ms: number): string {
  // Whole seconds: tenths would only flicker.
  return ms < 60_000 ? `${Math.max(1, Math.round(ms / 1000))} s` : formatDuration(ms)
}
