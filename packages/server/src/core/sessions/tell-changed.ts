/** Tells the server's topic that sessions changed: each once per short while, however often it changed in between. */
import type { ServerEvent, Session } from '@dorkos/shared'
import { type Clock, isoTime } from '../ports/clock.ts'

const delayMs = 40

export function createChangeTeller(parts: {
  clock: Clock
  get(sessionId: string): Promise<Session>
  publish(event: ServerEvent): void
}): (sessionId: string) => void {
  const changed = new Set<string>()
  let waiting = false

  async function tell(): Promise<void> {
    waiting = false
    const ids = [...changed]
    changed.clear()
    for (const id of ids) {
      // A session that is gone by now was told as deleted.
      const session = await parts.get(id).catch(() => undefined)
      if (session) parts.publish({ type: 'session_changed', time: isoTime(parts.clock.now()), session })
    }
  }

  return (sessionId) => {
    changed.add(sessionId)
    if (waiting) return
    waiting = true
    parts.clock.after(delayMs, () => void tell())
  }
}
