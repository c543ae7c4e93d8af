/** Progress of a call on its way to the session: cleaned, and no more of it than anybody can read. */
import { cleanLine, cutText } from '../catalogue/clean-text.ts'
import type { JsonRpcMessage } from './bridge-types.ts'

/** A server may report progress as often as it likes; the session hears of it ten times a second. */
const MIN_INTERVAL_MS = 100
const MAX_MESSAGE_LENGTH = 500

/** The first is always sent. */
export function progressSender(
  progressToken: string | number,
  send: (message: JsonRpcMessage) => void,
): (progress: Record<string, unknown>) => void {
  let last = Number.NEGATIVE_INFINITY
  return ({ progress, total, message }) => {
    if (typeof progress !== 'number') return
    const now = performance.now()
    if (now - last < MIN_INTERVAL_MS) return
    last = now
    const params = {
      progressToken,
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message: cutText(cleanLine(message), MAX_MESSAGE_LENGTH) } : {}),
    }
    send({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }
}
